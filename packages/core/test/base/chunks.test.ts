import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chunks } from "../../src/base/chunks.js";

describe("Chunks", () => {
  it("gives in one piece whatever came, and counts it", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 4 })), (pieces) => {
        const chunks = new Chunks();
        for (const piece of pieces) chunks.add(Buffer.from(piece));
        const whole = Buffer.concat(pieces);
        expect(chunks.size).toBe(whole.length);
        expect(Buffer.from(chunks.take())).toEqual(whole);
      }),
    );
  });

  it("does not copy a single chunk", () => {
    const chunk = Buffer.from("abc");
    const chunks = new Chunks();
    chunks.add(chunk);
    expect(chunks.take()).toBe(chunk);
  });
});
