import { createIdentityDigest } from "@riskgate/core/log";
import { describe, expect, it } from "vitest";
import { identityDigest } from "../../src/app/identity-digest.js";

describe("the digest of an identity", () => {
  it("is that of a decision log", async () => {
    const secret = "a secret of at least thirty-two bytes";
    const log = createIdentityDigest({ secret });
    expect(await identityDigest("ip", "203.0.113.7", secret)).toBe(log.ip("203.0.113.7"));
    const email = await identityDigest("account", "ada@shop.example", secret);
    expect(email).toBe(log.email("Ada+news@SHOP.example"));
  });
});
