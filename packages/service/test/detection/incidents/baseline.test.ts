import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addToMinutes,
  baselineOf,
  isPeak,
  type Minute,
} from "../../../src/detection/incidents/baseline.js";
import { PEAK_DEFAULTS } from "../../../src/detection/incidents/incident-settings.js";

const thresholds = { ...PEAK_DEFAULTS, historyMinutes: 5, warmUpMinutes: 3 };

const minutesOf = (...counts: readonly number[]): Minute[] =>
  counts.map((count, index) => ({ minute: index + 1, count }));

describe("baselineOf", () => {
  it.each([
    ["too few minutes", [5, 5], undefined],
    ["an odd number of minutes", [1, 9, 5], 5],
    ["an even number of minutes", [1, 9, 5, 6], 5.5],
    ["one peak among them", [5, 5, 1000, 5], 5],
    ["more minutes than the history has", [1000, 1000, 1000, 1, 1, 1, 1], 1],
  ])("is the median of %s", (_, counts, expected) => {
    expect(baselineOf(minutesOf(...counts), counts.length + 1, thresholds)).toBe(expected);
  });
});

describe("isPeak", () => {
  it.each([
    ["the least count", [0, 0, 0], 99, 100],
    ["the multiple of the baseline", [50, 50, 50], 200, 201],
    ["the end of the warm-up", [0, 0], 1_000_000, undefined],
  ])("is about %s", (_, history, below, above) => {
    const judge = (count: number): boolean =>
      isPeak(minutesOf(...history, count), history.length + 1, 100, thresholds);
    expect(judge(below)).toBe(false);
    if (above !== undefined) expect(judge(above)).toBe(true);
  });

  it("never misses a count that is higher than a peak", () => {
    const count = fc.nat({ max: 5000 });
    fc.assert(
      fc.property(fc.array(count, { maxLength: 8 }), count, count, (history, some, more) => {
        const judge = (last: number): boolean =>
          isPeak(minutesOf(...history, last), history.length + 1, 100, thresholds);
        if (judge(some)) expect(judge(some + more)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("addToMinutes", () => {
  it("adds up in any order and keeps what the history needs", () => {
    const sample = fc.record({ minute: fc.integer({ min: 1, max: 6 }), count: fc.nat() });
    fc.assert(
      fc.property(fc.array(sample), (samples) => {
        const all = samples.reduce<readonly Minute[]>(
          (minutes, one) => addToMinutes(minutes, one, thresholds),
          [],
        );
        const sum = samples.reduce((total, { count }) => total + count, 0);
        expect(all.reduce((total, { count }) => total + count, 0)).toBe(sum);
        expect(all.map(({ minute }) => minute)).toEqual(
          [...new Set(samples.map(({ minute }) => minute))].sort((a, b) => a - b),
        );
      }),
      { numRuns: 1000 },
    );
    const long = minutesOf(1, 2, 3, 4, 5, 6);
    expect(addToMinutes(long, { minute: 7, count: 7 }, thresholds)).toHaveLength(6);
  });
});
