import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Finding, pointsOf, scoreOf, type SignalName } from "../../src/assess/score.js";
import { DEFAULT_WEIGHTS } from "../../src/assess/weights.js";

const names = [...Object.keys(DEFAULT_WEIGHTS), "private"] as SignalName[];
const finding: fc.Arbitrary<Finding> = fc.record({
  name: fc.constantFrom(...names),
  weight: fc.integer({ min: 0, max: 100 }),
});

describe("scoreOf", () => {
  it("is 0 when nothing was found", () => {
    expect(scoreOf([])).toBe(0);
  });

  it("counts the strongest signal of each kind", () => {
    const findings: Finding[] = [
      { name: "vpn", weight: 45 },
      { name: "tor", weight: 60 },
      { name: "datacenter", weight: 5 },
    ];
    expect(scoreOf(findings)).toBe(65);
    expect(pointsOf(findings)).toEqual([0, 60, 5]);
  });

  it("stays from 0 to 100, and its points add up to it", () => {
    fc.assert(
      fc.property(fc.array(finding), (findings) => {
        const score = scoreOf(findings);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(pointsOf(findings).reduce((sum, points) => sum + points, 0)).toBe(score);
      }),
      { numRuns: 1000 },
    );
  });

  it("never falls when a signal is added or gets heavier", () => {
    fc.assert(
      fc.property(fc.array(finding), finding, fc.nat(50), (findings, added, more) => {
        const score = scoreOf(findings);
        expect(scoreOf([...findings, added])).toBeGreaterThanOrEqual(score);
        const heavier = findings.map((one, at) =>
          at === 0 ? { name: one.name, weight: Math.min(100, one.weight + more) } : one,
        );
        expect(scoreOf(heavier)).toBeGreaterThanOrEqual(score);
      }),
      { numRuns: 1000 },
    );
  });
});
