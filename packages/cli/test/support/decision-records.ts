import { createIdentityDigest, type DecisionRecord } from "@riskgate/core/log";

export const SECRET = "a secret of the log, 32 bytes long";

const digest = createIdentityDigest({ secret: SECRET });

/** A record about a score of an IP address, decided by the usual thresholds. */
export function recordOf(
  score: number,
  { ip = "203.0.113.7", email = "ann@example.com", flags = [] as readonly string[] } = {},
  changes: Partial<DecisionRecord> = {},
): DecisionRecord {
  return {
    v: 1,
    at: "2026-03-01T12:00:00.000Z",
    route: "POST /signup",
    outcome: score > 80 ? "reject" : score > 40 ? "flag" : "allow",
    enforced: true,
    because: "score",
    score,
    ip: { state: "scored", score, source: "live", flags, digest: digest.ip(ip)! },
    email: {
      state: "scored",
      score: 0,
      source: "live",
      flags: [],
      digest: digest.email(email)!,
    },
    policy: { flagAbove: 40, rejectAbove: 80 },
    ...changes,
  };
}

/** A log of these records. */
export function logText(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
