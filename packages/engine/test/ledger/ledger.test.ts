import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findHistory, type History, NO_HISTORY, readHistory } from "../../src/ledger/ledger.js";
import { type Finding, scoreOf } from "../../src/assess/score.js";
import { resolveWeights } from "../../src/assess/weights.js";

const weights = resolveWeights({});

function scoreOfHistory(history: History): number {
  const findings: Finding[] = [];
  findHistory(history, weights, findings);
  return scoreOf(findings);
}

const count = fc.nat(1_000_000);

describe("findHistory", () => {
  it("finds nothing where nothing is on record", () => {
    expect(scoreOfHistory(NO_HISTORY)).toBe(0);
  });

  it("stays below a known attacker and never falls with another event", () => {
    fc.assert(
      fc.property(count, count, (low, high) => {
        const history = {
          is_known_attacker: false,
          security_events_count: low + high,
          high_risk_security_events_count: high,
        };
        const score = scoreOfHistory(history);
        const more = { ...history, security_events_count: low + high + 1 };
        expect(scoreOfHistory(more)).toBeGreaterThanOrEqual(score);
        expect(
          scoreOfHistory({ ...more, high_risk_security_events_count: high + 1 }),
        ).toBeGreaterThanOrEqual(score);
        expect(score).toBeLessThanOrEqual(weights.history);
        expect(scoreOfHistory({ ...history, is_known_attacker: true })).toBe(weights.attacker);
      }),
      { numRuns: 1000 },
    );
  });
});

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
