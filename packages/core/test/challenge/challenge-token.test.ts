import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenIssuer, type TokenScope } from "../../src/challenge/challenge-token.js";
import {
  ATTACKS,
  issuedAt,
  now,
  SCOPE,
  SECRET,
  START_MS,
  TTL_MS,
} from "../support/token-attacks.js";

const OTHER = "fedcba9876543210fedcba9876543210";
const issuer = createTokenIssuer({ secrets: [SECRET], ttlMs: TTL_MS, now });
const issuerAt = (ms: number) =>
  createTokenIssuer({ secrets: [SECRET], ttlMs: TTL_MS, now: () => ms });
const part = fc.option(fc.string({ unit: "binary", maxLength: 20 }));
const scope: fc.Arbitrary<TokenScope> = fc.record({
  method: fc.constantFrom("GET", "POST"),
  path: fc.string({ unit: "binary", maxLength: 20 }),
  network: part,
  mailbox: part,
});

describe("createTokenIssuer", () => {
  it("accepts its own tokens until they expire", () => {
    const { token, expiresMs } = issuer.issue(SCOPE);
    expect(expiresMs).toBe(START_MS + TTL_MS);
    expect(issuer.nonceOf(token, SCOPE)).toMatch(/^[\w-]{22}$/);
    expect(issuerAt(expiresMs - 1).nonceOf(token, SCOPE)).toBeDefined();
    expect(issuerAt(expiresMs).nonceOf(token, SCOPE)).toBeUndefined();
  });

  it("accepts the tokens of a server whose clock is a minute ahead, and no more", () => {
    expect(issuer.nonceOf(issuedAt(START_MS + 60_000, SCOPE), SCOPE)).toBeDefined();
    expect(issuer.nonceOf(issuedAt(START_MS + 60_001, SCOPE), SCOPE)).toBeUndefined();
  });

  it("gives each token a nonce of its own", () => {
    const nonces = Array.from({ length: 1000 }, () =>
      issuer.nonceOf(issuer.issue(SCOPE).token, SCOPE),
    );
    expect(new Set(nonces).size).toBe(1000);
  });

  it("puts nothing of the scope or the secret into the token", () => {
    const { token } = issuer.issue(SCOPE);
    const text = token.split(".").map((one) => Buffer.from(one, "base64url").toString("latin1"));
    for (const part of ["a@x.y", "8.8.8.8", "/signup", SECRET]) {
      expect(token).not.toContain(part);
      expect(text.join()).not.toContain(part);
    }
  });

  it("verifies with every secret and signs with the first", () => {
    const both = createTokenIssuer({ secrets: [OTHER, SECRET], ttlMs: TTL_MS, now });
    const later = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    const old = issuer.issue(SCOPE).token;
    const fresh = both.issue(SCOPE).token;
    expect(both.nonceOf(old, SCOPE)).toBeDefined();
    expect(later.nonceOf(fresh, SCOPE)).toBeDefined();
    expect(later.nonceOf(old, SCOPE)).toBeUndefined();
    expect(issuer.nonceOf(fresh, SCOPE)).toBeUndefined();
  });

  // `full/forged-tokens.test.ts` makes 10,000 of each.
  it.each(Object.entries(ATTACKS))("CHL-05 accepts no token with %s", (_, attack) => {
    const tokens = Array.from({ length: 200 }, (__, n) => attack(n));
    expect(tokens.filter((token) => issuer.nonceOf(token, SCOPE) !== undefined)).toEqual([]);
  });

  it("accepts a token of exactly the scope that it was issued for", () => {
    fc.assert(
      fc.property(scope, scope, (one, other) => {
        const { token } = issuer.issue(one);
        expect(issuer.nonceOf(token, { ...one })).toBeDefined();
        const isSame =
          JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
        expect(issuer.nonceOf(token, other) !== undefined).toBe(isSame);
      }),
    );
  });

  it("takes any value for a token, and accepts none that it did not issue", () => {
    const { token } = issuer.issue(SCOPE);
    const near = fc
      .tuple(fc.nat({ max: token.length }), fc.nat({ max: 5 }), fc.string({ maxLength: 5 }))
      .map(([at, count, text]) => token.slice(0, at) + text + token.slice(at + count))
      .filter((text) => text !== token);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string({ unit: "binary" }), near), (value) => {
        expect(issuer.nonceOf(value, SCOPE)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
