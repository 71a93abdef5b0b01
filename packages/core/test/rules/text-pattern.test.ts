import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textMatcher } from "../../src/rules/text-pattern.js";

describe("textMatcher", () => {
  it.each<[string, string, boolean]>([
    ["abc", "ABC", true],
    ["abc", "abcd", false],
    ["*", "", true],
    ["a*", "a", true],
    ["*c", "abc", true],
    ["a*c", "ac", true],
    ["a*a", "a", false],
    ["*b*", "abc", true],
    ["a*b*c", "a-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["**", "x", true],
    [".", "x", false],
  ])("compares %s with %s", (pattern, text, matches) => {
    expect(textMatcher([pattern])(text)).toBe(matches);
  });

  it("agrees with a regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (one, other) => {
        const expected = new RegExp(`^${one.replaceAll("*", ".*")}$`).test(other);
        expect(textMatcher([one])(other)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
