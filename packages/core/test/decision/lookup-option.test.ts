import { describe, expect, it } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createGate } from "../../src/gate/gate.js";
import type { GateOptions } from "../../src/gate/steps.js";
import type { RiskLookup } from "../../src/model/lookup.js";
import { peekingLookup } from "../support/double-lookup.js";
import { fakeClock, unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, IP } from "../support/gate-over.js";

/** Creates a gate with a promise as `lookup`, and what it reports. */
function gateWith(lookup: unknown, options: Partial<GateOptions> = {}) {
  const errors: RiskGateError[] = [];
  const onError = (error: RiskGateError) => errors.push(error);
  const gate = createGate({ lookup: lookup as RiskLookup, onError, ...options });
  return { gate, errors };
}

describe("a lookup in place of the options", () => {
  it("is recognised, and not as a misspelt option", () => {
    const lookup = { lookupIp: async () => ({}), lookupEmail: async () => ({}) };
    expect(() => createGate(lookup as never)).toThrow(
      "`lookup` must be a client, an engine or its promise: use { lookup }, given nothing",
    );
    expect(() => createGate(lookup as never)).not.toThrow("misspell");
  });
});

describe("a promise of a lookup", () => {
  it("is awaited by decisions, and answers from memory once it has resolved", async () => {
    let resolve!: (lookup: RiskLookup) => void;
    const promise = new Promise<RiskLookup>((settle) => (resolve = settle));
    const { gate, errors } = gateWith(promise);
    expect(gate.peek(BOTH)).toBeUndefined();
    const early = gate.decide(BOTH);
    resolve(peekingLookup({ [IP]: 10, [EMAIL]: 95 }));
    expect(await early).toMatchObject({ outcome: "reject", score: 95 });
    expect(gate.peek(BOTH)).toMatchObject({ outcome: "reject", score: 95 });
    expect(errors).toEqual([]);
  });

  it("may be a promise of another library", async () => {
    const lookup = peekingLookup({ [EMAIL]: 95 });
    // oxlint-disable-next-line unicorn/no-thenable -- It is one.
    const thenable = { then: (next: (value: unknown) => unknown) => next(lookup) };
    const { gate } = gateWith(thenable);
    expect(await gate.decide({ email: EMAIL })).toMatchObject({ outcome: "reject" });
  });

  it("counts against the budget", async () => {
    const advance = fakeClock();
    const { gate, errors } = gateWith(new Promise(() => {}), { budgetMs: 500 });
    const decision = gate.decide(BOTH);
    await advance(500);
    expect(await decision).toMatchObject({ because: "unavailable" });
    expect(errors.map(({ code }) => code)).toEqual(["TIMEOUT"]);
  });

  it.each<[string, () => unknown, string]>([
    [
      "rejects with an error",
      () => Promise.reject(new Error("broken")),
      "the promise in `lookup` was rejected",
    ],
    [
      "rejects with an error about an argument",
      () => Promise.reject(new RiskGateError("INVALID_ARGUMENT", "no such file")),
      "the promise in `lookup` was rejected",
    ],
    [
      "resolves to something else",
      () => Promise.resolve({ lookupEmail: 1 }),
      "the lookup failed with its own error",
    ],
  ])("that %s is a fault of each lookup", async (_, promise, message) => {
    const unhandled = unhandledRejections();
    const { gate, errors } = gateWith(promise(), { whenUnavailable: "reject" });
    expect(await unhandled()).toBe(0);
    expect(await gate.decide({ email: EMAIL })).toMatchObject({
      outcome: "reject",
      because: "unavailable",
    });
    expect(gate.peek(BOTH)).toBeUndefined();
    expect(errors.map((error) => [error.code, error.message])).toEqual([
      ["LOOKUP_FAILED", message],
    ]);
    expect(await unhandled()).toBe(0);
  });

  it("is shared by the gates of a request", async () => {
    const asked: string[] = [];
    const answers = peekingLookup({ [IP]: 10 });
    const promise = Promise.resolve({
      lookupEmail: async (email: string) => answers.lookupEmail(email),
      lookupIp: async (ip: string) => {
        asked.push(ip);
        return answers.lookupIp(ip);
      },
    });
    const request = {};
    for (const { gate } of [gateWith(promise), gateWith(promise)]) {
      await gate.decide({ ip: IP }, { scope: request });
    }
    expect(asked).toEqual([IP]);
  });
});
