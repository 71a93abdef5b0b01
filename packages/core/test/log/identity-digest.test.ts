import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createIdentityDigest } from "../../src/log/identity-digest.js";
import { thrown } from "../support/caught.js";
import { SECRET } from "../support/made-decision.js";

const digest = createIdentityDigest({ secret: SECRET });

describe("createIdentityDigest", () => {
  it("makes 128 bits of HMAC-SHA-256", () => {
    const whole = createHmac("sha256", SECRET).update("ip\u0000203.0.113.7").digest("hex");
    expect(digest.ip("203.0.113.7")).toBe(whole.slice(0, 32));
  });

  it.each([
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:DB8:0::1", "2001:db8::1"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
  ])("takes %s for %s", (one, other) => {
    expect(digest.ip(one)).toBe(digest.ip(other));
  });

  it.each([
    ["Ann@Example.COM", "ann@example.com"],
    ["a.nn+shop@googlemail.com", "ann@gmail.com"],
  ])("takes %s for %s", (one, other) => {
    expect(digest.email(one)).toBe(digest.email(other));
  });

  it("tells spellings apart without the rules of providers", () => {
    const strict = createIdentityDigest({ secret: SECRET, providerRules: false });
    expect(strict.email("ann+shop@example.com")).not.toBe(strict.email("ann@example.com"));
  });

  it("tells kinds, identifiers and secrets apart", () => {
    const other = createIdentityDigest({ secret: SECRET.toUpperCase() });
    const made = [
      digest.ip("203.0.113.7"),
      digest.email("203.0.113.7"),
      digest.ip("203.0.113.8"),
      other.ip("203.0.113.7"),
    ];
    expect(new Set(made).size).toBe(4);
  });

  it.each([undefined, "", "203.0.113", "a".repeat(1_000)])(
    "has none of %j as an address",
    (text) => {
      expect(digest.ip(text)).toBeUndefined();
    },
  );

  it.each([undefined, "", " ", "a".repeat(1_000), "\ud800"])(
    "has none of %j as an email",
    (text) => {
      expect(digest.email(text)).toBeUndefined();
    },
  );

  it("takes text and bytes of the same secret for the same", () => {
    const bytes = createIdentityDigest({ secret: Buffer.from(SECRET) });
    expect(bytes.email("ann@example.com")).toBe(digest.email("ann@example.com"));
  });

  it.each([undefined, null, "short", Buffer.alloc(31, 1), 32, ["x"]])(
    "refuses the secret %j",
    (secret) => {
      const error = thrown(() => createIdentityDigest({ secret: secret as string }));
      expect(error.code).toBe("CONFIG_INVALID");
      expect(error.message).not.toContain("short");
    },
  );
});
