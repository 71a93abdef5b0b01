import { describe, expect, it } from "vitest";
import { gateOver, failing } from "../support/gate-over.js";
import { EMAIL, IP, madeDecision, SECRET } from "../support/made-decision.js";
import type { Decision, Outcome } from "../../src/model/decision.js";
import type { MadeDecision } from "../../src/log/log-step.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { type DecisionRecord, recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import { parseDecisionRecord } from "../../src/log/read-record.js";
import { createRejudge, type RejudgeOptions } from "../../src/gate/rejudge.js";
import { thrown } from "../support/caught.js";

const digest = createIdentityDigest({ secret: SECRET });
const PUBLIC = "8.8.8.8";

/** What a gate decides, and the record that its log would have. */
async function decided(
  scores: readonly [ip: number | Error, email: number | Error],
  options: Partial<GateOptions> = {},
): Promise<{ decision: Decision; record: DecisionRecord }> {
  const made: MadeDecision[] = [];
  const log = { record: (one: MadeDecision) => void made.push(one) };
  const { gate } = gateOver({ [PUBLIC]: scores[0], [EMAIL]: scores[1] }, { ...options, log });
  const decision = await gate.decide({ ip: PUBLIC, email: EMAIL }, { route: "POST /signup" });
  const record = parseDecisionRecord(JSON.stringify(recordOf(made.at(0)!, digest, 0)))!;
  return { decision, record };
}

describe("createRejudge", () => {
  it.each<[string, readonly [number | Error, number | Error], Partial<GateOptions>]>([
    ["a high score", [90, 3], {}],
    ["a low score", [3, 1], {}],
    ["thresholds of its own", [3, 12], { flagAbove: 2, rejectAbove: 10 }],
    ["a fault", [failing("TIMEOUT"), 3], {}],
    ["a fault that refuses", [failing("TIMEOUT"), 3], { whenUnavailable: "reject" }],
    ["a fault beside a high score", [failing("UNAUTHORIZED"), 90], {}],
    ["two faults", [failing("UNAUTHORIZED"), failing("NETWORK")], {}],
    ["a list", [90, 90], { allow: [PUBLIC] }],
    ["a ban", [1, 1], { deny: [EMAIL] }],
    ["observation", [90, 90], { mode: "observe" }],
    ["a challenge", [60, 3], { challengeAbove: 50 }],
    ["a rule", [3, 3], { rules: [{ name: "all", when: { scoreAbove: 1 }, outcome: "reject" }] }],
  ])("decides as before, without other thresholds: %s", async (_, scores, options) => {
    const { decision, record } = await decided(scores, options);
    const { outcome, enforced, because, score } = decision;
    expect(createRejudge()(record)).toMatchObject({ outcome, enforced, because, score });
  });

  it("takes who passed a challenge to pass it again", async () => {
    const { record } = await decided([60, 3], { challengeAbove: 50 });
    const passed: DecisionRecord = { ...record, outcome: "allow", because: "challenge_passed" };
    expect(createRejudge()(passed).outcome).toBe("allow");
    expect(createRejudge({ challengeAbove: 40 })(passed).outcome).toBe("allow");
    expect(createRejudge({ rejectAbove: 55 })(passed).outcome).toBe("reject");
  });

  it("leaves what a rule decided, unless other rules are tried", async () => {
    const rules = [{ name: "all", when: { scoreAbove: 1 }, outcome: "reject" }] as const;
    const { record } = await decided([3, 3], { rules });
    expect(createRejudge({ rejectAbove: 90 })(record)).toMatchObject({ outcome: "reject" });
    expect(createRejudge({ rules: [] })(record)).toMatchObject({ outcome: "allow" });
  });

  it.each<[RejudgeOptions, number, Outcome]>([
    [{ rejectAbove: 70 }, 75, "reject"],
    [{ rejectAbove: 70 }, 70, "flag"],
    [{ rejectAbove: 90 }, 85, "flag"],
    [{ flagAbove: 60 }, 50, "allow"],
    [{ flagAbove: 90 }, 85, "allow"],
    [{ rejectAbove: 30 }, 35, "reject"],
    [{ rejectAbove: 30 }, 25, "allow"],
    [{ flagAbove: 30, rejectAbove: 70 }, 35, "flag"],
    [{ flagAbove: 0, rejectAbove: 0 }, 1, "reject"],
    [{ challengeAbove: 50 }, 60, "challenge"],
    [{ challengeAbove: 50 }, 45, "flag"],
    [{ challengeAbove: 30 }, 35, "challenge"],
    [{ challengeAbove: 90 }, 85, "flag"],
    [{ challengeAbove: 90 }, 95, "reject"],
    [{ rules: [{ name: "odd", when: { scoreAbove: 20 }, outcome: "reject" }] }, 25, "reject"],
    [{ rules: [{ name: "odd", when: { scoreAbove: 20 }, outcome: "reject" }] }, 15, "allow"],
    [{ rules: [{ name: "here", when: { path: ["/signup"] }, outcome: "flag" }] }, 1, "flag"],
    [{ rules: [{ name: "there", when: { path: ["/login"] }, outcome: "flag" }] }, 1, "allow"],
  ])("with %j makes of the score %d: %s", async (options, score, outcome) => {
    const { record } = await decided([score, 0]);
    expect(createRejudge(options)(record).outcome).toBe(outcome);
  });

  it("keeps what a list decided", async () => {
    const { record } = await decided([1, 1], { deny: [EMAIL] });
    const judged = createRejudge({ flagAbove: 100, rejectAbove: 100 })(record);
    expect(judged).toMatchObject({ outcome: "reject", because: "override" });
  });

  it("keeps what was made of a fault", async () => {
    const { record } = await decided([failing("UPSTREAM_STATUS"), 50], { whenUnavailable: "flag" });
    expect(createRejudge({ flagAbove: 60 })(record)).toMatchObject({
      outcome: "flag",
      because: "unavailable",
    });
  });

  it("gives back flags and country as evidence", () => {
    const { ip } = createRejudge()(recordOf(madeDecision({}, { ip: IP }), digest, 0));
    expect(ip).toMatchObject({
      state: "scored",
      assessment: { risk_score: 55, is_vpn: true, ip_geo: { country_code: "DEU" } },
    });
  });

  it("decides by thresholds what a policy of the application decided", async () => {
    const { record } = await decided([90, 1], { decide: () => "allow" });
    expect(record.policy).toMatchObject({ own: true });
    expect(createRejudge()(record).outcome).toBe("reject");
  });

  it.each<object>([
    { rejectAbove: 101 },
    { flagAbove: "30" },
    { flagAbove: 80, rejectAbove: 70 },
    { reject: 3 },
  ])("refuses %j", (options) => {
    expect(thrown(() => createRejudge(options)).code).toBe("CONFIG_INVALID");
  });
});
