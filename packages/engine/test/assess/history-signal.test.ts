import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_HISTORY, type History } from "../../src/ledger/ledger.js";
import { findHistory } from "../../src/assess/history-signal.js";
import { type Finding, scoreOf } from "../../src/assess/score.js";
import { DEFAULT_WEIGHTS as weights } from "../../src/assess/weights.js";

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
