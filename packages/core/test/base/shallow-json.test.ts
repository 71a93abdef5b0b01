import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNestedDeeperThan, parseShallowJson } from "../../src/base/shallow-json.js";
import { parseJson } from "../../src/lookup/json-body.js";
import { parseDecisionRecord } from "../../src/log/read-record.js";
import { splitDelivery } from "../../src/webhook/inbox-step.js";
import { looseTextOf } from "../../src/base/platform.js";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Brackets, quotes and escapes, in strings and names too. */
const value = fc.jsonValue({
  stringUnit: fc.constantFrom(...'[]{}",:\\u\u00e9\u2028 a'.split("")),
});
const blanks = fc.constantFrom(undefined, 1, "\t");
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
/** Long enough for the limit, which short texts do not have. */
const long = (text: string): string => text + " ".repeat(2 ** 20);

describe("the depth of a JSON text", () => {
  it("is that of the parsed value", () => {
    fc.assert(
      fc.property(value, blanks, fc.nat({ max: 6 }), (given, indent, depth) => {
        const text = JSON.stringify(given, undefined, indent);
        expect(isNestedDeeperThan(text, depth)).toBe(depthOf(JSON.parse(text)) > depth);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['"[[[["', 0],
    ['["\\"[[[", "\\\\"]', 1],
    ['{"[{":"[{"}', 1],
    ["[[],[],[]]", 2],
  ])("does not count brackets in strings: %s", (text, depth) => {
    expect(isNestedDeeperThan(text, depth)).toBe(false);
    expect(isNestedDeeperThan(text, depth - 1)).toBe(depth > 0);
  });

  it("is found in invalid JSON", () => {
    expect(isNestedDeeperThan("[".repeat(65), 64)).toBe(true);
    expect(isNestedDeeperThan("]]]]", 0)).toBe(false);
    expect(isNestedDeeperThan('"\\', 0)).toBe(false);
  });

  it("is found in any bytes, without an error", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(3), (bytes, depth) => {
        expect(typeof isNestedDeeperThan(looseTextOf(bytes), depth)).toBe("boolean");
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("parseShallowJson", () => {
  it("agrees with JSON.parse up to 64 levels, or 1 MiB, also in refusing", () => {
    const outcome = (parse: (text: string) => unknown, text: string): unknown => {
      try {
        return parse(text);
      } catch (error) {
        return error;
      }
    };
    const texts = fc.oneof(
      fc.json(),
      fc.string({ unit: fc.constantFrom(...Array.from('[]{}",:\\a1 ')) }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(parseShallowJson, text)).toEqual(outcome(JSON.parse, text));
      }),
    );
    expect(depthOf(parseShallowJson(long(nested(64))))).toBe(64);
    expect(() => parseShallowJson(long(nested(65)))).toThrow(RangeError);
    expect(depthOf(parseShallowJson(nested(65)))).toBe(65);
  });

  it("reads answers, records and stored deliveries", () => {
    const bytes = (text: string) => Buffer.from(text);
    expect(parseJson(bytes(long(nested(64))))).toBeDefined();
    expect(parseJson(bytes(long(nested(65))))).toBeUndefined();
    expect(parseDecisionRecord(long(nested(65)))).toBeUndefined();
    const split = (depth: number) =>
      splitDelivery({ body: bytes(long(`[1,${nested(depth)}]`)), secretId: "0" }).length;
    expect([split(63), split(64)]).toEqual([2, 1]);
  });
});
