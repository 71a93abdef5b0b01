import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDistinct, countDistinct } from "../../../src/detection/incidents/distinct.js";

const named = (count: number): string[] => Array.from({ length: count }, (_, n) => `10.0.0.${n}`);

describe("countDistinct", () => {
  it("is exact for up to 1,023 texts, whatever their order and grouping", () => {
    const texts = fc.array(fc.string(), { maxLength: 50 });
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const seen = addDistinct(addDistinct([], a), b);
        expect(seen).toEqual(addDistinct(addDistinct([], b), a));
        expect(countDistinct(seen)).toBe(new Set([...a, ...b]).size);
      }),
      { numRuns: 1000 },
    );
    expect(countDistinct(addDistinct([], named(1023)))).toBe(1023);
  });

  it.each([1024, 5000, 50_000])("is near for %d texts, in bounded space", (count) => {
    const seen = addDistinct([], named(count));
    expect(seen.length).toBe(1024);
    expect(Math.abs(countDistinct(seen) / count - 1)).toBeLessThan(0.1);
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
  });
});
