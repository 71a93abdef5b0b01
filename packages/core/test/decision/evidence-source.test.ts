import { describe, expect, it } from "vitest";
import { createGate } from "../../src/gate/gate.js";
import type { RiskGateError } from "../../src/base/errors.js";
import type { RiskLookup } from "../../src/model/lookup.js";
import { doubleLookup } from "../support/double-lookup.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { BOTH, EMAIL, IP } from "../support/gate-over.js";

const scored = (assessment: unknown) => () => ({ state: "scored", assessment, source: "cache" });

describe("peeked", () => {
  it.each<[string, unknown]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["returns a promise", async () => scored({ risk_score: 95 })()],
    [
      "returns a promise that rejects",
      async () => {
        throw new Error("broken");
      },
    ],
    ["scores with a text", scored({ risk_score: "95" })],
    ["scores with NaN", scored({ risk_score: NaN })],
    ["scores beyond 100", scored({ risk_score: 101 })],
    ["has no assessment", scored(undefined)],
    ["is about another", scored({ risk_score: 95, ip: "8.8.4.4", email: "other@x.com" })],
    ["returns null", () => null],
    ["returns an assessment alone", () => ({ risk_score: 95 })],
    ["is not a function", 7],
  ])("reports a peek that %s, and does not believe it", async (_, peek) => {
    const unhandled = unhandledRejections();
    const errors: RiskGateError[] = [];
    const answers = doubleLookup({ [IP]: 10, [EMAIL]: 20 });
    const lookup = {
      lookupIp: async (ip: string) => answers.lookupIp(ip),
      lookupEmail: async (email: string) => answers.lookupEmail(email),
      peekIp: peek,
      peekEmail: peek,
    } as RiskLookup;
    const gate = createGate({ lookup, onError: (error) => errors.push(error) });
    expect(await gate.decide(BOTH)).toMatchObject({
      outcome: "allow",
      because: "score",
      score: 20,
    });
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["HOOK_FAILED", "`peekIp` of the lookup failed"],
      ["HOOK_FAILED", "`peekEmail` of the lookup failed"],
    ]);
    expect(await unhandled()).toBe(0);
  });
});
