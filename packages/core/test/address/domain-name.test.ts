import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeDomain } from "../../src/address/domain-name.js";
import { codePoint } from "../../../../tools/test/code-point.js";

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

  it.each([
    "",
    ".",
    "com",
    "ann@example.com",
    "..",
    "a..b",
    ".com",
    "192.0.2.1",
    "[192.0.2.1]",
    "a b.com",
    "<html>",
    "\u00fc.example/x",
    "\u00fc.example?x",
  ])("answers undefined for %j", (text) => {
    expect(normalizeDomain(text)).toBeUndefined();
  });

  it("takes for a domain name exactly what the rule of its form allows", () => {
    const rule = /^(?:[a-z0-9_-]{1,63}\.)+(?=[0-9-]{0,62}[a-z])[a-z0-9-]{1,63}$/;
    const label = fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "z", "0", "9", "-", "_"), maxLength: 3 }),
      fc.constantFrom("a".repeat(63), "a".repeat(64), `${"1".repeat(62)}a`),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 6 }), (labels) => {
        const text = labels.join(".");
        const isName = text.length <= 253 && rule.test(text);
        // Without its last dot, a text may be a domain name although it is not one with the dot.
        fc.pre(!text.endsWith("."));
        expect([text, normalizeDomain(text)]).toEqual([text, isName ? text : undefined]);
      }),
      { numRuns: 2000 },
    );
  });

  it("is idempotent and never throws", () => {
    const texts = fc.oneof(fc.string({ unit: codePoint }), fc.domain());
    fc.assert(
      fc.property(texts, (text) => {
        const domain = normalizeDomain(text);
        if (domain !== undefined) expect(normalizeDomain(domain)).toBe(domain);
      }),
      { numRuns: 1000 },
    );
  });
});
