import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as node from "../../src/base/platform.js";
import * as web from "../../src/base/platform.web.js";

describe("the platform on Web standards gives what Node gives", () => {
  it("SIG-30 for HMAC-SHA-256, of every length of key and data", () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const data = fc.oneof(bytes, fc.string({ unit: "binary" }));
    const key = fc.uint8Array({ minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(key, data, fc.constantFrom("hex", "base64url"), (secret, body, form) => {
        const expected = node.hmac(node.hmacKey(secret), body, form);
        expect(web.hmac(web.hmacKey(secret), body, form)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("SIG-30 for both when WebCrypto computes them", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const secrets = fc.uint8Array({ minLength: 1, maxLength: 200 });
    const text = fc.string({ unit: "binary" });
    await fc.assert(
      fc.asyncProperty(secrets, fc.oneof(bytes, text), text, async (secret, body, hashed) => {
        const key = web.hmacKey(secret);
        expect(await web.nativeHmac(key, body, "hex")).toBe(node.hmac(secret, body, "hex"));
        expect(await web.sha256(hashed, "base64url")).toBe(node.sha256(hashed, "base64url"));
      }),
    );
  });

  it("SIG-30 for SHA-256, around each end of a block and of a megabyte", async () => {
    for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_048_576]) {
      const text = "a".repeat(length);
      expect(await web.sha256(text, "hex"), String(length)).toBe(node.sha256(text, "hex"));
    }
  });

  it("for bytes that are UTF-8 and for bytes that are not", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: "binary" }), (bytes, text) => {
        expect(web.textOf(bytes)).toBe(node.textOf(bytes));
        expect(web.looseTextOf(bytes)).toBe(node.looseTextOf(bytes));
        expect(web.utf8Length(text)).toBe(node.utf8Length(text));
        expect([...web.utf8(text)]).toEqual([...node.utf8(text)]);
      }),
    );
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x5b, 0x5d]);
    expect(web.textOf(marked)).toBe(node.textOf(marked));
  });

  it("for the comparison of texts", () => {
    for (const [one, other] of [
      ["a", "a"],
      ["a", "b"],
      ["a", "aa"],
      ["\u0161", "a"],
      ["", ""],
    ] as const) {
      expect(web.isSameText(one, other)).toBe(node.isSameText(one, other));
    }
  });

  it.each(["shop.example", "b\u00fccher.example", "B\u00dcCHER.example", "a b.example", ""])(
    "for the domain name %j",
    (domain) => {
      expect(web.domainToAscii(domain)).toBe(node.domainToAscii(domain));
    },
  );
});

describe("web.createLru on Web standards", () => {
  it("forgets what was used least recently", () => {
    const entries = web.createLru<string, number>(2);
    entries.set("one", 1);
    entries.set("two", 2);
    entries.get("one");
    entries.set("three", 3);
    expect([entries.get("one"), entries.get("two"), entries.get("three")]).toEqual([
      1,
      undefined,
      3,
    ]);
    expect(entries.size).toBe(2);
  });

  it("evicts more for a large entry, and frees its size again", () => {
    const entries = web.createLru<string, number>(10);
    const put = (name: string, size: number): void => void entries.set(name, size, { size });
    for (const name of ["a", "b", "c"]) put(name, 3);
    put("large", 7);
    expect(["a", "b", "c", "large"].filter((name) => entries.get(name))).toEqual(["c", "large"]);
    put("large", 1);
    entries.delete("c");
    put("all", 9);
    expect(["large", "all"].map((name) => entries.get(name))).toEqual([1, 9]);
    put("too large", 11);
    expect(entries.size).toBe(0);
  });
});
