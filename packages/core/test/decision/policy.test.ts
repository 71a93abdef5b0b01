import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IpAssessment } from "../../src/model/assessment.js";
import {
  type Evidence,
  type EvidencePair,
  type Fault,
  type Outcome,
  OUTCOMES,
} from "../../src/model/decision.js";
import {
  type Policy,
  type PolicyOptions,
  readPolicy,
  totalScore,
} from "../../src/decision/policy.js";
import type { Verdict } from "../../src/decision/step.js";
import { readOptions } from "../../src/base/options.js";
import { thrown } from "../support/caught.js";

const SEVERITY: Readonly<Record<Outcome, number>> = {
  allow: 0,
  flag: 1,
  challenge: 2,
  reject: 3,
};
const FAULTS = [
  "timeout",
  "network",
  "rate_limited",
  "unauthorized",
  "server",
  "unreadable",
] as const;

const outcome = fc.constantFrom<Outcome>(...OUTCOMES);
const score = fc.oneof(
  fc.constantFrom(0, 40, 80, 100),
  fc.double({ min: 0, max: 100, noNaN: true }),
);
const scored = (risk: number): Evidence<IpAssessment> => ({
  state: "scored",
  assessment: { risk_score: risk },
  source: "live",
});
const evidence: fc.Arbitrary<Evidence<IpAssessment>> = fc.oneof(
  score.map(scored),
  fc.constantFrom(...FAULTS).map((fault: Fault) => ({ state: "failed" as const, fault })),
  fc
    .constantFrom("absent" as const, "not_public" as const, "unusable" as const)
    .map((why) => ({ state: "skipped" as const, why })),
);
const options = fc
  .tuple(score, score, score, fc.oneof(outcome, fc.dictionary(fc.constantFrom(...FAULTS), outcome)))
  .map(([a, b, c, whenUnavailable]) => {
    const flagAbove = Math.min(a, b, c);
    const rejectAbove = Math.max(a, b, c);
    const challengeAbove = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    return { flagAbove, challengeAbove, rejectAbove, whenUnavailable };
  });

const policyOf = (given: PolicyOptions): Policy =>
  readOptions("createGate", given, (options) => readPolicy(options, () => expect.unreachable()));

const judged = (policy: Policy, evidence: EvidencePair): Verdict =>
  policy.judge({ evidence, score: totalScore(evidence, policy.terms.rejectAbove) });

describe("readPolicy", () => {
  it.each<[object, string]>([
    [
      { whenUnavailable: { timout: "allow" } },
      "`whenUnavailable.timout`: unknown option; did you mean `timeout`?",
    ],
    [
      { whenUnavailable: { timeout: "open" } },
      '`whenUnavailable.timeout` must be "allow" or "flag" or "challenge" or "reject", given "open"',
    ],
    [
      { whenUnavailable: "open" },
      '`whenUnavailable` must be "allow" or "flag" or "challenge" or "reject", or an object with one for each ' +
        'fault, given "open"',
    ],
    [{ mode: "monitor" }, '`mode` must be "enforce" or "observe", given "monitor"'],
    [{ rejectAbove: 30 }, "`flagAbove` must be at most `rejectAbove`, which is 30, given 40"],
    [
      { challengeAbove: 30 },
      "`challengeAbove` must be from `flagAbove`, which is 40, to `rejectAbove`, which is 80, given 30",
    ],
    [
      { challengeAbove: 81 },
      "`challengeAbove` must be from `flagAbove`, which is 40, to `rejectAbove`, which is 80, given 81",
    ],
    [{ challengeAbove: "60" }, '`challengeAbove` must be a number from 0 to 100, given "60"'],
    [{ rejectAbove: 101 }, "`rejectAbove` must be a number from 0 to 100, given 101"],
  ])("says of %j what to do", (given, message) => {
    expect(thrown(() => policyOf(given)).message).toBe(message);
  });
});

describe("judge", () => {
  it("never softens an outcome because a score is higher", () => {
    fc.assert(
      fc.property(options, score, score, evidence, fc.boolean(), (given, a, b, other, swap) => {
        const policy = policyOf(given);
        const judge = (risk: number): number => {
          const pair = swap
            ? { ip: other, email: scored(risk) }
            : { ip: scored(risk), email: other };
          return SEVERITY[judged(policy, pair).outcome];
        };
        expect(judge(Math.max(a, b))).toBeGreaterThanOrEqual(judge(Math.min(a, b)));
      }),
      { numRuns: 1000 },
    );
  });

  it("is never softer than its score, and never than what is missing", () => {
    fc.assert(
      fc.property(options, evidence, evidence, (given, ip, email) => {
        const policy = policyOf(given);
        const both = SEVERITY[judged(policy, { ip, email }).outcome];
        const absent = { state: "skipped", why: "absent" } as const;
        const parts = [
          judged(policy, { ip, email: absent }),
          judged(policy, { ip: absent, email }),
        ];
        expect(both).toBe(Math.max(...parts.map((part) => SEVERITY[part.outcome])));
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the highest score there is, and null where there is none", () => {
    fc.assert(
      fc.property(options, evidence, evidence, (given, ip, email) => {
        const pair = { ip, email };
        const decision = judged(policyOf(given), pair);
        const scores = [ip, email].flatMap((part) =>
          part.state === "scored" ? [part.assessment.risk_score] : [],
        );
        expect(totalScore(pair, given.rejectAbove ?? 80)).toBe(
          scores.length === 0 ? null : Math.max(...scores),
        );
        if (decision.because === "score") expect(scores).not.toEqual([]);
        if (decision.because === "nothing_to_score") expect(scores).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("challenges strictly above `challengeAbove`, and only where it is set", () => {
    const absent = { state: "skipped", why: "absent" } as const;
    const outcomes = (given: PolicyOptions) =>
      [40, 40.5, 60, 60.5, 80, 80.5].map(
        (risk) => judged(policyOf(given), { ip: scored(risk), email: absent }).outcome,
      );
    expect(outcomes({ challengeAbove: 60 })).toEqual([
      "allow",
      "flag",
      "flag",
      "challenge",
      "challenge",
      "reject",
    ]);
    expect(outcomes({})).not.toContain("challenge");
    expect(policyOf({}).challengedBy).toBeUndefined();
    expect(policyOf({ challengeAbove: 60 }).challengedBy).toBe("challengeAbove");
    expect(policyOf({ outcomes: { challenge: ["vpn"] } }).challengedBy).toBe("outcomes");
    expect(policyOf({ outcomes: { reject: ["vpn"] } }).challengedBy).toBeUndefined();
    expect(policyOf({ whenUnavailable: { timeout: "challenge" } }).challengedBy).toBe(
      "whenUnavailable",
    );
  });

  it("changes none of its options with the caller's object", () => {
    const whenUnavailable: Partial<Record<Fault, Outcome>> = { timeout: "reject" };
    const policy = policyOf({ whenUnavailable });
    whenUnavailable.timeout = "allow";
    const missing = { state: "failed", fault: "timeout" } as const;
    const { outcome: result } = judged(policy, { ip: missing, email: missing });
    expect(result).toBe("reject");
  });
});
