import { type ConsoleRoom, HOSTILE } from "./console-room.js";

/** Leaves hostile texts where no event has them: in a lookup, in a rule and in a logged decision. */
export async function leaveHostileTexts({
  baseUrl,
  lookupKey,
  reportKey,
  admin,
}: ConsoleRoom): Promise<void> {
  await fetch(`${baseUrl}/v1/emails/${encodeURIComponent(`${HOSTILE}@mailinator.com`)}`, {
    headers: { "x-api-key": lookupKey },
  });
  const rule = { name: HOSTILE.slice(0, 100), when: { domain: ["x.test"] }, note: HOSTILE };
  await admin("PUT", "/rules", { rules: [{ ...rule, outcome: "reject" }] });
  const record = {
    v: 1,
    at: "2026-03-01T12:00:00.000Z",
    route: HOSTILE,
    outcome: "flag",
    enforced: true,
    because: "score",
    score: 55,
    ip: { state: "scored", score: 55, source: "live", flags: [`is_${HOSTILE}`] },
    email: { state: "skipped", why: "absent" },
    policy: { flagAbove: 40, rejectAbove: 80 },
  };
  await fetch(`${baseUrl}/v1/reports/decisions`, {
    method: "POST",
    headers: { "x-api-key": reportKey, "content-type": "application/json" },
    body: JSON.stringify([record]),
  });
}
