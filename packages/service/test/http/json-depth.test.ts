import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedDeeperThan } from "../../src/http/json-depth.js";

const isDeeper = (text: string, depth: number) => isNestedDeeperThan(Buffer.from(text), depth);

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of a JSON text", () => {
  it("is that of the value", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 6 }), (text, depth) => {
        expect(isDeeper(text, depth)).toBe(depthOf(JSON.parse(text)) > depth);
      }),
    );
  });

  it.each([
    ['"[[[["', 0],
    ['["\\"[[[", "\\\\"]', 1],
    ['{"[{":"[{"}', 1],
    ["[[],[],[]]", 2],
  ])("does not count brackets in strings: %s", (text, depth) => {
    expect(isDeeper(text, depth)).toBe(false);
    expect(isDeeper(text, depth - 1)).toBe(depth > 0);
  });

  it("is found in invalid JSON", () => {
    expect(isDeeper("[".repeat(65), 64)).toBe(true);
    expect(isDeeper("]]]]", 0)).toBe(false);
    expect(isDeeper('"\\', 0)).toBe(false);
  });
});
