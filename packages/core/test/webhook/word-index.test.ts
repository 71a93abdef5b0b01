import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findWord, indexWords } from "../../src/webhook/word-index.js";

const WORDS = ["scan", "test", "auth_scan", "not_found", ""] as const;
const index = indexWords(WORDS);

describe("findWord", () => {
  it.each(WORDS)("finds %j", (word) => {
    expect(findWord(index, word)).toBe(word);
  });

  it("finds nothing else, of any length", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ minLength: 4, maxLength: 4 })), (text) => {
        expect(findWord(index, text)).toBe(
          (WORDS as readonly string[]).includes(text) ? text : undefined,
        );
      }),
    );
    expect(["Scan", "scans", "sca", "x".repeat(100)].map((text) => findWord(index, text))).toEqual(
      Array(4).fill(undefined),
    );
  });
});
