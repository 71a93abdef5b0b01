import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createGate } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import { recordOf } from "../../src/log/decision-record.js";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import { isDecisionRecord, parseDecisionRecord } from "../../src/log/read-record.js";
import { createRejudge } from "../../src/gate/rejudge.js";
import type { Velocity } from "../../src/model/velocity.js";
import type { VelocityReading } from "../../src/model/velocity-reading.js";
import { createVelocity } from "../../src/velocity/velocity.js";
import type { VelocityStore } from "../../src/velocity/velocity-store.js";
import { peekingLookup } from "../support/double-lookup.js";
import type { RulesInput } from "../../src/rules/rule-set.js";
import { EMAIL, gateOver, IP } from "../support/gate-over.js";
import { madeDecision, SECRET } from "../support/made-decision.js";

const READING: VelocityReading = {
  adds: 50,
  signals: [{ name: "address", count: 180, weight: 50 }],
};

/** Points of a subject that others can fill. */
const SHARED: VelocityReading = {
  adds: 0,
  sharedAdds: 75,
  signals: [{ name: "mailbox", count: 25, weight: 75 }],
};

/** A velocity that always reads the same, with what it was asked. */
function reading(answer: unknown = READING, counts: Velocity["counts"] = "signups") {
  const asked: unknown[] = [];
  const ask = (name: string) => (facts: unknown) => {
    asked.push([name, facts]);
    return answer as VelocityReading;
  };
  const velocity: Velocity = { counts, isSync: true, count: ask("count"), read: ask("read") };
  return { asked, velocity };
}

describe("velocity in a decision", () => {
  it("adds to the higher score, and explains itself", async () => {
    const { gate } = gateOver({ [IP]: 20, [EMAIL]: 35 }, { velocity: reading().velocity });
    expect(await gate.decide({ ip: IP, email: EMAIL })).toMatchObject({
      outcome: "reject",
      because: "score",
      score: 85,
      velocity: READING,
    });
  });

  it("never makes more than 100", async () => {
    const { gate } = gateOver({ [EMAIL]: 90 }, { velocity: reading().velocity });
    expect((await gate.decide({ email: EMAIL })).score).toBe(100);
  });

  it("is a score where there is no other", async () => {
    const { gate } = gateOver({}, { velocity: reading().velocity, whenUnavailable: "allow" });
    const decision = await gate.decide({ ip: "10.0.0.1" });
    expect(decision).toMatchObject({ outcome: "flag", because: "score", score: 50 });
  });

  it("is left out where nothing comes too often", async () => {
    const { gate } = gateOver({ [EMAIL]: 5 }, { velocity: createVelocity() });
    const decision = await gate.decide({ email: EMAIL });
    expect(decision.score).toBe(5);
    expect(decision).not.toHaveProperty("velocity");
  });

  it("counts sign-ups, and only reads failed logins", async () => {
    for (const [counts, name] of [
      ["signups", "count"],
      ["failed_logins", "read"],
    ] as const) {
      const { velocity, asked } = reading(undefined, counts);
      const { gate } = gateOver({ [IP]: 1, [EMAIL]: 1 }, { velocity });
      await gate.decide({ ip: IP, email: EMAIL });
      expect(asked).toEqual([[name, { ip: IP, email: EMAIL }]]);
    }
  });

  it("knows the autonomous system that the lookup names", async () => {
    const { velocity, asked } = reading();
    const { gate } = gateOver({ [IP]: () => ({ risk_score: 1, asn: 64_500 }) }, { velocity });
    await gate.decide({ ip: IP });
    expect(asked).toEqual([["count", { ip: IP, email: undefined, asn: 64_500 }]]);
  });

  it("counts nobody whom a list has decided about", async () => {
    const { velocity, asked } = reading();
    const { gate } = gateOver({}, { velocity, allow: [EMAIL], deny: [IP] });
    await gate.decide({ email: EMAIL });
    await gate.decide({ ip: IP });
    expect(asked).toEqual([]);
  });

  it("counts a request once, however many gates decide about it", async () => {
    const { velocity, asked } = reading();
    const { gate, lookup } = gateOver({ [IP]: 1, [EMAIL]: 1 }, { velocity });
    const stricter = createGate({ lookup, velocity, rejectAbove: 45 });
    const scope = {};
    await gate.decide({ ip: IP, email: EMAIL }, { scope });
    expect((await stricter.decide({ ip: IP, email: EMAIL }, { scope })).outcome).toBe("reject");
    expect(asked).toHaveLength(1);
    // What the first one could not see is counted by the second.
    await stricter.decide({ email: EMAIL }, { scope });
    expect(asked).toHaveLength(2);
  });

  it("reaches the rules by the score, and a policy of the application", async () => {
    const seen: unknown[] = [];
    const options: Partial<GateOptions> = {
      velocity: reading().velocity,
      rules: [{ name: "too much", when: { scoreAbove: 45 }, outcome: "reject" }],
    };
    const ruled = gateOver({ [EMAIL]: 0 }, options);
    expect((await ruled.gate.decide({ email: EMAIL })).rule?.name).toBe("too much");
    const { velocity } = reading();
    const decide: GateOptions["decide"] = (evidence) => {
      seen.push(evidence.velocity);
      return "flag";
    };
    await gateOver({ [EMAIL]: 0 }, { velocity, decide }).gate.decide({ email: EMAIL });
    expect(seen).toEqual([READING]);
  });
});

describe("points of subjects that others can fill", () => {
  it.each([0, 6, 25, 60, 80])("never refuse a request with the score %i", async (score) => {
    const { velocity } = reading(SHARED);
    const { gate } = gateOver({ [EMAIL]: score }, { velocity });
    expect(await gate.decide({ email: EMAIL })).toMatchObject({
      outcome: "flag",
      score: Math.min(score + 75, 80),
    });
  });

  it("leave a request refused that its own score or address refuses", async () => {
    const { gate } = gateOver({ [EMAIL]: 81 }, { velocity: reading(SHARED).velocity });
    expect(await gate.decide({ email: EMAIL })).toMatchObject({ outcome: "reject", score: 81 });
    const both = { ...SHARED, adds: 70 };
    const busy = gateOver({ [EMAIL]: 20 }, { velocity: reading(both).velocity });
    expect(await busy.gate.decide({ email: EMAIL })).toMatchObject({
      outcome: "reject",
      score: 90,
    });
  });

  it.each(["mailbox", "ipv4_24", "domain", "asn"] as const)(
    "are divided from the others if a step or an older velocity adds %s without `sharedAdds`",
    async (name) => {
      const { velocity } = reading({ adds: 90, signals: [{ name, count: 9, weight: 90 }] });
      const { gate } = gateOver({ [EMAIL]: 25 }, { velocity });
      const { outcome, velocity: found } = await gate.decide({ email: EMAIL });
      expect(outcome).toBe("flag");
      expect(found).toMatchObject({ adds: 0, sharedAdds: 90 });
    },
  );

  it("refuse nobody by a rule with a score, and reach its other outcomes", async () => {
    const rule = (outcome: "reject" | "flag") =>
      ({ name: outcome, when: { scoreAbove: 70 }, outcome }) as const;
    const decide = async (score: number, rules: RulesInput) =>
      gateOver({ [EMAIL]: score }, { velocity: reading(SHARED).velocity, rules }).gate.decide({
        email: EMAIL,
      });
    expect(await decide(25, [rule("reject")])).toMatchObject({ outcome: "flag", because: "score" });
    expect((await decide(25, [rule("reject"), rule("flag")])).outcome).toBe("flag");
    expect((await decide(0, [rule("flag")])).rule?.name).toBe("flag");
    expect((await decide(75, [rule("reject")])).outcome).toBe("reject");
  });

  it("are apart from `adds` in a policy of the application", async () => {
    const decide: GateOptions["decide"] = ({ velocity }) =>
      25 + (velocity?.adds ?? 0) > 80 ? "reject" : "allow";
    const { gate } = gateOver({ [EMAIL]: 25 }, { velocity: reading(SHARED).velocity, decide });
    expect((await gate.decide({ email: EMAIL })).outcome).toBe("allow");
  });
});

describe("peek with velocity", () => {
  it("decides at once where the counts are in memory", () => {
    const lookup = peekingLookup({ [EMAIL]: 1 });
    const gate = createGate({ lookup, velocity: reading().velocity });
    expect(gate.peek({ email: EMAIL })).toMatchObject({ outcome: "flag", score: 51 });
  });

  it("gives nothing, and counts nothing, where they are elsewhere", async () => {
    const asked: unknown[] = [];
    const store: VelocityStore = {
      tally: async (tally) => tally.counters.map(() => asked.push(tally)),
    };
    const lookup = peekingLookup({ [EMAIL]: 1 });
    const gate = createGate({ lookup, velocity: createVelocity({ store }) });
    expect(gate.peek({ email: EMAIL })).toBeUndefined();
    expect(asked).toEqual([]);
    await gate.decide({ email: EMAIL });
    expect(asked.length).toBeGreaterThan(0);
  });
});

describe("velocity that fails", () => {
  const never = new Promise<never>(() => {});
  it.each<[string, unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("gone");
      },
      "HOOK_FAILED",
    ],
    [
      "throws an error of its store",
      () => {
        throw new RiskGateError("STORE_FAILED", "gone");
      },
      "STORE_FAILED",
    ],
    ["rejects", async () => Promise.reject(new Error("gone")), "HOOK_FAILED"],
    ["never answers", async () => never, "HOOK_FAILED"],
    ["answers points above 100", () => ({ adds: 1_000, signals: [] }), "HOOK_FAILED"],
    ["answers text", () => ({ adds: "90", signals: [] }), "HOOK_FAILED"],
    ["answers signals that are none", () => ({ adds: 9, signals: [{ name: "x" }] }), "HOOK_FAILED"],
    ["answers null", () => null, "HOOK_FAILED"],
  ])("%s: the scores decide, in time, and it is reported", async (_, count, code) => {
    const velocity = { counts: "signups", isSync: true, count, read: count } as Velocity;
    const { gate, errors } = gateOver({ [EMAIL]: 50 }, { velocity, budgetMs: 100 });
    const decision = await gate.decide({ email: EMAIL });
    expect(decision).toMatchObject({ outcome: "flag", score: 50 });
    expect(decision).not.toHaveProperty("velocity");
    expect(errors).toEqual([code]);
  });

  it.each<[string, VelocityStore["tally"], string]>([
    [
      "throws",
      () => {
        throw new Error("gone");
      },
      "STORE_FAILED",
    ],
    ["rejects", async () => Promise.reject(new Error("gone")), "STORE_FAILED"],
    ["never answers", async () => never, "HOOK_FAILED"],
  ])("goes by what this process has counted where the store %s", async (_, tally, code) => {
    const velocity = createVelocity({ store: { tally } });
    const { gate, errors } = gateOver({}, { velocity, budgetMs: 100 });
    const decisions = [];
    for (let n = 1; n <= 5; n++) {
      decisions.push(await gate.decide({ email: `eve+${n}@gmail.com` }));
    }
    expect(decisions.map(({ velocity: reading }) => reading?.sharedAdds ?? 0)).toEqual([
      0, 0, 32, 63, 95,
    ]);
    expect(decisions.at(-1)?.outcome).toBe("flag");
    expect(errors).toEqual(Array.from({ length: 5 }, () => code));
  });

  it("leaves no rejection behind that nobody handles", async () => {
    const late = async () => {
      await pause(120);
      throw new Error("too late");
    };
    const velocity: Velocity = { counts: "signups", isSync: false, count: late, read: late };
    const { gate } = gateOver({ [EMAIL]: 1 }, { velocity, budgetMs: 30 });
    expect((await gate.decide({ email: EMAIL })).outcome).toBe("allow");
    await pause(150);
  });

  it.each([null, {}, { count() {} }, "signups", Promise.resolve()])("refuses %s", (velocity) => {
    const build = () => gateOver({}, { velocity: velocity as unknown as Velocity });
    expect(build).toThrow("`velocity` must be a velocity, as created by createVelocity()");
  });
});

describe("velocity in the log of decisions", () => {
  const digest = createIdentityDigest({ secret: SECRET });
  const record = recordOf(
    madeDecision({ outcome: "reject", score: 100, velocity: READING }),
    digest,
    0,
  );

  it("is recorded with its signals, and read back", () => {
    expect(record).toMatchObject({ score: 100, velocity: READING });
    expect(isDecisionRecord(JSON.parse(JSON.stringify(record)))).toBe(true);
    expect(isDecisionRecord({ ...record, velocity: { adds: 900, signals: [] } })).toBe(false);
    expect(isDecisionRecord({ ...record, velocity: { adds: 9, signals: [{}] } })).toBe(false);
  });

  it("keeps both numbers, and a rehearsal refuses nobody for the shared one", () => {
    const decision = madeDecision({ outcome: "flag", score: 80, velocity: SHARED });
    const line = JSON.stringify(recordOf(decision, digest, 0));
    const shared = parseDecisionRecord(line);
    expect(shared?.velocity).toEqual(SHARED);
    expect(createRejudge()(shared!)).toMatchObject({ outcome: "flag", score: 80 });
    expect(createRejudge({ rejectAbove: 60 })(shared!)).toMatchObject({
      outcome: "flag",
      score: 60,
    });
    const rules = [{ name: "high", when: { scoreAbove: 56 }, outcome: "reject" }] as const;
    expect(createRejudge({ rules })(shared!).outcome).toBe("flag");
    const { sharedAdds: _, ...velocity } = { ...SHARED, sharedAdds: 900 };
    expect(isDecisionRecord({ ...shared, velocity: { ...velocity, sharedAdds: 900 } })).toBe(false);
    // Older versions wrote the points of all subjects as `adds`.
    const older = { ...shared!, velocity: { ...velocity, adds: 75 }, outcome: "reject" } as const;
    expect(isDecisionRecord(older)).toBe(true);
    expect(createRejudge()(older)).toMatchObject({ outcome: "flag", velocity: SHARED });
  });

  it("counts in a rehearsal of other thresholds", () => {
    expect(createRejudge()(record)).toMatchObject({ outcome: "reject", score: 100 });
    const { velocity: _, ...without } = record;
    expect(createRejudge()(without)).toMatchObject({ outcome: "flag", score: 55 });
  });
});
