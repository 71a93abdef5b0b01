import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedaction } from "../../src/dispatch/redaction.js";
import { codePoint } from "../../../../tools/test/code-point.js";

const body = Buffer.from('[{"account":"ada@shop.example"}]');
const redact = createRedaction(["hook-secret-1"], body);

describe("createRedaction", () => {
  it.each([
    ["a secret", "key=hook-secret-1!", "key=[removed]!"],
    ["the body", `echo ${body.toString()}`, "echo [removed]"],
    [
      "the body inside a JSON text",
      JSON.stringify({ data: body.toString() }),
      '{"data":"[removed]"}',
    ],
  ])("removes %s", (_, received, kept) => {
    expect(redact(Buffer.from(received), 1_000)).toBe(kept);
  });

  it("removes a secret given as bytes", () => {
    const bytes = createRedaction([Buffer.from("hook-secret-1")], body);
    expect(bytes(Buffer.from("hook-secret-1"), 1_000)).toBe("[removed]");
  });

  it("keeps line breaks and tabs, and no other control character", () => {
    expect(redact(Buffer.from("a\tb\r\nc\u0007d\u009be"), 1_000)).toBe("a\tb\r\nc\ufffdd\ufffde");
  });

  it("is never longer than allowed, nor cut within a character", () => {
    const received = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: codePoint }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(received, fc.integer({ min: 0, max: 40 }), (bytes, maxBytes) => {
        const text = redact(Buffer.from(bytes), maxBytes);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
        expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
