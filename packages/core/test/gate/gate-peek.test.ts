import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Outcome, OUTCOMES } from "../../src/model/decision.js";
import type { DecisionMessage } from "../../src/decision/decision-channel.js";
import { createGate } from "../../src/gate/gate.js";
import type { RiskLookup } from "../../src/model/lookup.js";
import { doubleLookup, peekingLookup } from "../support/double-lookup.js";
import { countingLists, countingLookup } from "../support/counting-lookup.js";
import { BOTH, EMAIL, gateOver, IP } from "../support/gate-over.js";

describe("peek", () => {
  it("GAT-21 decides at once with what is in memory", async () => {
    const gate = createGate({ lookup: peekingLookup({ [IP]: 10, [EMAIL]: 95 }) });
    const decision = gate.peek(BOTH);
    expect(decision).toMatchObject({
      outcome: "reject",
      score: 95,
      ip: { source: "cache" },
      email: { source: "cache" },
    });
    const { id, ...decided } = await gate.decide(BOTH);
    expect(decision).toMatchObject(decided);
    expect(id).not.toBe(decision!.id);
  });

  it("gives nothing where a lookup is needed", () => {
    const gate = createGate({ lookup: peekingLookup({ [IP]: 10 }) });
    expect(gate.peek(BOTH)).toBeUndefined();
    expect(gate.peek({ ip: IP })).toBeDefined();
    expect(gate.peek({ email: EMAIL })).toBeUndefined();
    expect(createGate({ lookup: doubleLookup() }).peek({ ip: IP })).toBeUndefined();
  });

  it("asks no lookup and needs none for what is skipped or on a list", () => {
    const { gate, lookup } = gateOver({}, { deny: [EMAIL] });
    expect(gate.peek({})?.because).toBe("nothing_to_score");
    expect(gate.peek({ ip: "10.0.0.1" })?.ip).toMatchObject({ why: "not_public" });
    expect(gate.peek({ ip: "junk" })?.ip).toMatchObject({ why: "unusable" });
    expect(gate.peek(BOTH)?.because).toBe("override");
    expect(lookup.asked).toEqual([]);
  });

  it("does not take a cached score for a private address that is not looked up", () => {
    const lookup: RiskLookup = {
      ...doubleLookup(),
      peekIp: () => ({
        state: "scored",
        assessment: { risk_score: 95, is_private: true },
        source: "live",
      }),
    };
    expect(createGate({ lookup }).peek({ ip: "10.0.0.1" })?.ip).toMatchObject({
      why: "not_public",
    });
    expect(createGate({ lookup }).peek({ ip: IP })?.score).toBe(95);
    const wide = createGate({ lookup, lookupPrivateIps: true });
    expect(wide.peek({ ip: "10.0.0.1" })?.score).toBe(95);
  });

  it("agrees with decide, whatever is in memory", async () => {
    const score = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined });
    const ip = fc.constantFrom(IP, "10.0.0.1", `::ffff:${IP}`, "junk", "", null, undefined);
    const email = fc.constantFrom(EMAIL, "b@x.y", "..", "", null, undefined);
    const options = fc.record({
      mode: fc.constantFrom("enforce" as const, "observe" as const),
      whenUnavailable: fc.constantFrom<Outcome>(...OUTCOMES),
      lookupPrivateIps: fc.boolean(),
      deny: fc.constantFrom([], ["b@x.y"], [IP]),
    });
    await fc.assert(
      fc.asyncProperty(
        score,
        score,
        ip,
        email,
        options,
        async (a, b, givenIp, givenEmail, given) => {
          const scores = {
            ...(a !== undefined && { [IP]: a, "10.0.0.1": a }),
            ...(b !== undefined && { [EMAIL]: b }),
          };
          const peeking = peekingLookup(scores);
          const gate = createGate({ ...given, lookup: peeking, onError: () => {} });
          const facts = { ip: givenIp, email: givenEmail };
          const peeked = gate.peek(facts);
          const decided = await gate.decide(facts);
          expect(peeked !== undefined).toBe(peeking.asked.length === 0);
          if (peeked) expect({ ...decided, id: peeked.id }).toEqual(peeked);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("one decision", () => {
  it("peeks, asks and reads the lists once", async () => {
    const { lookup, calls } = countingLookup();
    const blockList = countingLists(calls);
    const decision = await createGate({ lookup, blockList }).decide(BOTH);
    expect(decision.score).toBe(10);
    expect(calls.sort()).toEqual([
      "blocksEmail",
      "blocksIp",
      "lookupEmail",
      "lookupIp",
      "peekEmail",
      "peekIp",
    ]);
  });

  it("goes on with what a peek found, though it is gone from memory by then", async () => {
    const { lookup, calls } = countingLookup();
    let peeks = 0;
    const forgetful: RiskLookup = {
      ...lookup,
      peekEmail: () =>
        peeks++ === 0
          ? { state: "scored", assessment: { risk_score: 95 }, source: "cache" }
          : undefined,
    };
    expect(await createGate({ lookup: forgetful }).decide(BOTH)).toMatchObject({
      outcome: "reject",
      ip: { source: "live" },
      email: { source: "cache" },
    });
    expect([peeks, calls]).toEqual([1, ["peekIp", "lookupIp"]]);
  });
});

describe("the channel riskgate:decision", () => {
  it("publishes each decision once, with its id and without evidence", async () => {
    const messages: DecisionMessage[] = [];
    const listen = (message: unknown): void => void messages.push(message as DecisionMessage);
    subscribe("riskgate:decision", listen);
    onTestFinished(() => void unsubscribe("riskgate:decision", listen));
    const { gate } = gateOver({ [IP]: 95 }, { deny: ["1.1.1.1"], mode: "observe" });
    const { id } = await gate.decide({ ip: IP });
    const peeked = gate.peek({ ip: "1.1.1.1" })!;
    expect(messages).toEqual([
      { id, outcome: "reject", enforced: false, because: "score", score: 95 },
      { id: peeked.id, outcome: "reject", enforced: false, because: "override", score: null },
    ]);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(peeked.id).not.toBe(id);
  });
});
