import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../src/model/decision.js";
import { createGate } from "../../src/gate/gate.js";
import { caught } from "../support/caught.js";
import { type Answer, doubleLookup, untilAborted } from "../support/double-lookup.js";
import { fakeClock, unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, failing, gateOver, IP } from "../support/gate-over.js";

describe("the budget of a decision", () => {
  it("GAT-05 ends it after 800 ms and keeps what has arrived", async () => {
    const pass = fakeClock();
    const signals: (AbortSignal | undefined)[] = [];
    const { gate, errors } = gateOver({
      [IP]: (signal) => {
        signals.push(signal);
        return untilAborted(signal);
      },
      [EMAIL]: 95,
    });
    let decision: Decision | undefined;
    void gate.decide(BOTH).then((made) => (decision = made));
    await pass(799);
    expect([decision, signals[0]?.aborted]).toEqual([undefined, false]);
    await pass(1);
    expect(decision).toMatchObject({
      outcome: "reject",
      score: 95,
      ip: { state: "failed", fault: "timeout" },
      email: { state: "scored" },
    });
    expect(signals[0]?.aborted).toBe(true);
    expect(errors).toEqual(["TIMEOUT"]);
  });

  it("is what its option says, for lookups that never end too", async () => {
    const pass = fakeClock();
    const never = (): Promise<never> => new Promise(() => {});
    const { gate } = gateOver({ [IP]: never, [EMAIL]: never }, { budgetMs: 50 });
    const deciding = gate.decide(BOTH);
    await pass(50);
    expect(await deciding).toMatchObject({
      outcome: "allow",
      because: "unavailable",
      ip: { fault: "timeout" },
      email: { fault: "timeout" },
    });
  });

  it("GAT-06 is one for both lookups, which run at the same time", async () => {
    const pass = fakeClock();
    const after =
      (ms: number): Answer =>
      () =>
        new Promise((resolve) => setTimeout(() => resolve({ risk_score: 10 }), ms));
    const { gate } = gateOver({ [IP]: after(200), [EMAIL]: after(200) });
    let decided = false;
    void gate.decide(BOTH).then(() => (decided = true));
    await pass(200);
    expect(decided).toBe(true);
  });

  it("reports nothing of answers that come too late", async () => {
    const pass = fakeClock();
    const unhandled = unhandledRejections();
    let fail: (error: Error) => void = () => {};
    const late = (): Promise<never> => new Promise((_, reject) => (fail = reject));
    const { gate, errors } = gateOver({ [IP]: late }, { budgetMs: 50 });
    const deciding = gate.decide({ ip: IP });
    await pass(50);
    await deciding;
    fail(new Error("late"));
    expect(await unhandled()).toBe(0);
    expect(errors).toEqual(["TIMEOUT"]);
  });
});

describe("the signal of a decision", () => {
  it("ends it before anything is asked", async () => {
    const { gate, lookup } = gateOver({ [IP]: 10 });
    const error = await caught(gate.decide({ ip: IP }, { signal: AbortSignal.abort() }));
    expect(error.code).toBe("ABORTED");
    expect(lookup.asked).toEqual([]);
  });

  it("ends it and its lookups on the way", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { gate, errors } = gateOver({
      [IP]: (signal) => {
        signals.push(signal);
        return untilAborted(signal);
      },
    });
    const controller = new AbortController();
    const deciding = gate.decide({ ip: IP }, { signal: controller.signal });
    controller.abort();
    expect((await caught(deciding)).code).toBe("ABORTED");
    expect(signals[0]?.aborted).toBe(true);
    expect(errors).toEqual([]);
  });

  it("R26 has no listener of the gate left, however the decision ends", async () => {
    const { signal } = new AbortController();
    const { gate } = gateOver({ [IP]: 10, [EMAIL]: failing("NETWORK") });
    for (const facts of [BOTH, { ip: IP }, {}, { ip: "10.0.0.1" }]) {
      await gate.decide(facts, { signal });
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("gates that decide about one object", () => {
  it("GAT-17 ask once for each identifier", async () => {
    const lookup = doubleLookup({ [IP]: 50, [EMAIL]: failing("NETWORK") });
    const onError = (): void => {};
    const mild = createGate({ lookup, onError });
    const strict = createGate({ lookup, onError, rejectAbove: 45 });
    const scope = {};
    expect((await mild.decide(BOTH, { scope })).outcome).toBe("flag");
    expect((await strict.decide(BOTH, { scope })).outcome).toBe("reject");
    expect(lookup.asked).toEqual([IP, EMAIL]);
    await strict.decide(BOTH, { scope: {} });
    expect(lookup.asked).toHaveLength(4);
  });

  it("share nothing about another identifier", async () => {
    const lookup = doubleLookup({ [IP]: 10, "9.9.9.9": 95, "b@x.y": 95 });
    const gate = createGate({ lookup });
    const scope = {};
    expect((await gate.decide(BOTH, { scope })).score).toBe(10);
    expect((await gate.decide({ ip: IP, email: "b@x.y" }, { scope })).score).toBe(95);
    expect((await gate.decide({ ip: "9.9.9.9" }, { scope })).score).toBe(95);
  });

  it("share nothing with another lookup", async () => {
    const scope = {};
    const decide = (score: number): Promise<Decision> =>
      gateOver({ [IP]: score }).gate.decide({ ip: IP }, { scope });
    expect([(await decide(10)).score, (await decide(95)).score]).toEqual([10, 95]);
  });

  it("do not share what one of them may not ask", async () => {
    const lookup = doubleLookup({ "10.0.0.1": 95, [EMAIL]: 10 });
    const facts = { ip: "10.0.0.1", email: EMAIL };
    const scope = {};
    expect((await createGate({ lookup }).decide(facts, { scope })).score).toBe(10);
    const wide = createGate({ lookup, lookupPrivateIps: true });
    expect((await wide.decide(facts, { scope })).score).toBe(95);
    expect(lookup.asked).toEqual([EMAIL, "10.0.0.1"]);
  });
});
