import { describe, expect, it } from "vitest";
import { visible } from "../../src/app/foreign-text.js";

describe("a text from elsewhere", () => {
  it("is shown as it is", () => {
    const text = '<script>alert(1)</script> "\u00fc" \u{1f512} \u05d0\n\tline';
    expect(visible(text)).toBe(text);
  });

  it.each([
    ["\u001b[31m", "\\u001b[31m"],
    ["a\u202eb", "a\\u202eb"],
    ["a\u2066b", "a\\u2066b"],
    ["a\u200bb\ufeff", "a\\u200bb\\ufeff"],
    ["\0\r\x7f", "\\u0000\\u000d\\u007f"],
  ])("has %j escaped", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
