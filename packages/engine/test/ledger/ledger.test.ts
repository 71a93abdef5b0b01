import { describe, expect, it } from "vitest";
import { type History, NO_HISTORY, readHistory } from "../../src/ledger/ledger.js";

describe("readHistory", () => {
  it("answers an empty history for undefined", () => {
    expect(readHistory(() => undefined)).toEqual(NO_HISTORY);
  });

  it.each([
    ["throws", () => JSON.parse("no")],
    ["answers no counts", () => ({}) as History],
    ["answers a negative count", () => ({ ...NO_HISTORY, security_events_count: -1 })],
    ["answers a promise", () => Promise.resolve(NO_HISTORY) as unknown as History],
    ["knows no attackers", () => ({ ...NO_HISTORY, is_known_attacker: undefined as never })],
    ["answers NaN", () => ({ ...NO_HISTORY, high_risk_security_events_count: Number.NaN })],
  ])("fails with STORE_FAILED when the ledger %s", (_label, read: () => History) => {
    expect(() => readHistory(read)).toThrow(expect.objectContaining({ code: "STORE_FAILED" }));
  });
});
