import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../src/rehearsal/line-splitter.js";

function split(text: Buffer | string, chunkBytes: number): (string | undefined)[] {
  const bytes = Buffer.from(text as string);
  const lines: (string | undefined)[] = [];
  const splitter = new LineSplitter((line) => void lines.push(line));
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    splitter.push(bytes.subarray(at, at + chunkBytes));
  }
  splitter.end();
  return lines;
}

describe("LineSplitter", () => {
  it.each([1, 2, 3, 7, 1_000])("cuts the same lines from chunks of %d bytes", (chunkBytes) => {
    expect(split("one\n\nzw\u00f6lf \u{1f600}\nlast", chunkBytes)).toEqual([
      "one",
      "",
      "zw\u00f6lf \u{1f600}",
      "last",
    ]);
  });

  it("gives nothing for nothing, and no empty line at the end", () => {
    expect(split("", 1)).toEqual([]);
    expect(split("one\n", 2)).toEqual(["one"]);
  });

  it.each([100, 60_000, 1_000_000])(
    "passes over lines too long, in chunks of %d bytes",
    (bytes) => {
      const long = "x".repeat(200_000);
      expect(split(`a\n${long}\nb\n${long}`, bytes)).toEqual(["a", undefined, "b", undefined]);
    },
  );
});
