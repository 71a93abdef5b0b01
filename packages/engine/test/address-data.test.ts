import { createGate, createVelocity } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEngine } from "../src/engine.js";
import type { EngineOptions } from "../src/engine-options.js";
import { createMemoryLedger } from "../src/ledger/memory-ledger.js";

const IP = "8.8.8.8";
const NO_DATA = "no address data: no feed of addresses is loaded";

/** Collects the codes of process warnings, which Node emits in the next turn of the event loop. */
function collectWarnings(): () => Promise<string[]> {
  const codes: string[] = [];
  const collect = (warning: Error & { code?: string }): void => void codes.push(warning.code ?? "");
  process.on("warning", collect);
  onTestFinished(() => void process.off("warning", collect));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return codes;
  };
}

async function explain(options: EngineOptions, ip = IP) {
  const engine = await createEngine(options);
  const { signals, assessment } = engine.explainIp(ip);
  return { signals, isUnknown: assessment.no_address_data };
}

describe("an engine without a feed of addresses", () => {
  it.each<[string, EngineOptions]>([
    ["no feed", { feeds: [] }],
    ["a feed of domains", { feeds: [{ kind: "disposable", entries: ["mailinator.test"] }] }],
    ["an empty ledger", { feeds: [], ledger: createMemoryLedger() }],
  ])("says so in explanations, with %s", async (_, options) => {
    const { signals, isUnknown } = await explain(options);
    expect(signals).toEqual([
      { name: "no_address_data", weight: 0, adds: 0, source: "engine", detail: NO_DATA },
    ]);
    expect(isUnknown).toBe(true);
  });

  it("says nothing of the kind about addresses that it knows", async () => {
    const ledger = createMemoryLedger();
    ledger.record({ ip: IP, highRisk: true });
    const known = await explain({ feeds: [], ledger });
    expect(known.signals.map(({ name }) => name)).toEqual(["attacker", "history"]);
    const isPrivate = await explain({ feeds: [] }, "10.0.0.1");
    expect(isPrivate.signals.map(({ name }) => name)).toEqual(["private"]);
    const listed = await explain({ feeds: [{ kind: "tor", entries: ["9.9.9.9"] }] });
    expect(listed.signals).toEqual([]);
    for (const { isUnknown } of [known, isPrivate, listed]) expect(isUnknown).toBeUndefined();
  });

  it("is the reason of a decision, unless something else has points", async () => {
    const lookup = await createEngine({ feeds: [] });
    const gate = createGate({ lookup });
    const because = async (facts: object) => {
      const decision = await gate.decide(facts);
      expect(gate.peek(facts)?.because).toBe(decision.because);
      return decision.because;
    };
    expect(await because({ ip: IP })).toBe("no_address_data");
    expect(await because({ ip: IP, email: "ann@example.com" })).toBe("no_address_data");
    expect(await because({ ip: IP, email: "ann@mailinator.com" })).toBe("score");
    expect(await because({ email: "ann@example.com" })).toBe("score");

    const velocity = createVelocity({ limits: { ipv4_24: { from: 1, to: 2, weight: 50 } } });
    const counting = createGate({ lookup, velocity });
    await counting.decide({ ip: IP });
    await counting.decide({ ip: IP });
    expect((await counting.decide({ ip: IP })).because).toBe("score");
  });

  it("warns once, at the first public address, unless `feeds` is given", async () => {
    const warnings = collectWarnings();
    const chosen = await createEngine({ feeds: [] });
    await chosen.lookupIp(IP);
    const engine = await createEngine();
    await engine.lookupEmail("ann@example.com");
    await engine.lookupIp("10.0.0.1");
    expect(await warnings()).toEqual([]);
    for (const ip of [IP, IP, "9.9.9.9"]) await engine.lookupIp(ip);
    await (await createEngine()).lookupIp(IP);
    expect(await warnings()).toEqual(["RISKGATE_NO_ADDRESS_DATA"]);
  });
});
