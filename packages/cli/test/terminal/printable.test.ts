import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLine, printable } from "../../src/terminal/printable.js";
import { codePoint } from "../../../../tools/test/code-point.js";

// oxlint-disable-next-line no-control-regex -- They are what must not be there.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

describe("printable", () => {
  it.each([
    ["an escape sequence", "\u001b[31m", "\\u001b[31m"],
    ["a one-byte escape", "\u009b31m", "\\u009b31m"],
    ["line breaks", "a\r\nb", "a\\u000d\\u000ab"],
    ["a mark of direction", "a\u202eb", "a\\u202eb"],
    ["what is not seen", "a\u200bb\u{e0041}", "a\\u200bb\\udb40\\udc41"],
    ["letters of any script", "h\u00e9llo \u4f60 \ud83d\udd12", "h\u00e9llo \u4f60 \ud83d\udd12"],
  ])("shows %s", (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it("leaves nothing that could change a terminal", () => {
    const text = fc.string({ unit: codePoint });
    fc.assert(
      fc.property(text, (given) => {
        expect(printable(given)).not.toMatch(UNSAFE);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves JSON that holds the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: codePoint }), (value) => {
        const line = jsonLine(value);
        expect(line.slice(0, -1)).not.toMatch(UNSAFE);
        expect(JSON.stringify(JSON.parse(line))).toBe(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    );
  });
});
