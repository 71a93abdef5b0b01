import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeDomain } from "../src/domain-name.js";

describe("normalizeDomain", () => {
  it.each([
    ["example.com", "example.com"],
    ["EXAMPLE.Com", "example.com"],
    ["example.com.", "example.com"],
    [" example.com ", "example.com"],
    ["b\u00fccher.example", "xn--bcher-kva.example"],
    ["B\u00dcCHER.example", "xn--bcher-kva.example"],
    ["\uff4dailinator.com", "mailinator.com"],
    ["mailinator\u3002com", "mailinator.com"],
    ["a_b.example", "a_b.example"],
    ["example.xn--p1ai", "example.xn--p1ai"],
  ])("brings %j into the form %j", (text, expected) => {
    expect(normalizeDomain(text)).toBe(expected);
  });

  it.each(["", ".", "com", "..", "a..b", ".com", "192.0.2.1", "[192.0.2.1]", "a b.com", "<html>"])(
    "answers undefined for %j",
    (text) => {
      expect(normalizeDomain(text)).toBeUndefined();
    },
  );

  it("is idempotent and never throws", () => {
    const texts = fc.oneof(fc.string({ unit: "binary" }), fc.domain());
    fc.assert(
      fc.property(texts, (text) => {
        const domain = normalizeDomain(text);
        if (domain !== undefined) expect(normalizeDomain(domain)).toBe(domain);
      }),
      { numRuns: 1000 },
    );
  });
});
