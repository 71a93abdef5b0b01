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
    expect(issuer.verify(token, SCOPE)).toEqual({
      nonce: expect.stringMatching(/^[\w-]{22}$/) as string,
      network: expect.stringMatching(/^[\w-]{43}$/) as string,
      leftMs: TTL_MS,
    });
    expect(issuerAt(expiresMs - 1).verify(token, SCOPE)).toBeDefined();
    expect(issuerAt(expiresMs).verify(token, SCOPE)).toBeUndefined();
  });

  it("accepts the tokens of a server whose clock is a minute ahead, and no more", () => {
    expect(issuer.verify(issuedAt(START_MS + 60_000, SCOPE), SCOPE)).toBeDefined();
    expect(issuer.verify(issuedAt(START_MS + 60_001, SCOPE), SCOPE)).toBeUndefined();
  });

  it("gives each token a nonce of its own", () => {
    const nonces = Array.from(
      { length: 1000 },
      () => issuer.verify(issuer.issue(SCOPE).token, SCOPE)?.nonce,
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

  it("counts an IPv4 address and an IPv6 /56 as one network, by a keyed digest", () => {
    const networkOf = (network: string | null, by = issuer) => {
      const scope = { ...SCOPE, network };
      return by.verify(by.issue(scope).token, scope)?.network;
    };
    const same = ["20010db8:0/64", "20010db8:1/64", "20010db8:ff/64"];
    const others = ["20010db8:100/64", "20010db8:1ff00/64", "20010db9:0/64", "8.8.8.8", null];
    expect(new Set(same.map((network) => networkOf(network))).size).toBe(1);
    expect(new Set([...same, ...others].map((network) => networkOf(network))).size).toBe(6);
    const other = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    expect(networkOf("8.8.8.8", other)).not.toBe(networkOf("8.8.8.8"));
  });

  it("keeps the network of a token when secrets are rotated", () => {
    const both = createTokenIssuer({ secrets: [OTHER, SECRET], ttlMs: TTL_MS, now });
    const { token } = issuer.issue(SCOPE);
    expect(both.verify(token, SCOPE)).toEqual(issuer.verify(token, SCOPE));
  });

  it("verifies with every secret and signs with the first", () => {
    const both = createTokenIssuer({ secrets: [OTHER, SECRET], ttlMs: TTL_MS, now });
    const later = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    const old = issuer.issue(SCOPE).token;
    const fresh = both.issue(SCOPE).token;
    expect(both.verify(old, SCOPE)).toBeDefined();
    expect(later.verify(fresh, SCOPE)).toBeDefined();
    expect(later.verify(old, SCOPE)).toBeUndefined();
    expect(issuer.verify(fresh, SCOPE)).toBeUndefined();
  });

  // `full/forged-tokens.test.ts` makes 10,000 of each.
  it.each(Object.entries(ATTACKS))("CHL-05 accepts no token with %s", (_, attack) => {
    const tokens = Array.from({ length: 200 }, (__, n) => attack(n));
    expect(tokens.filter((token) => issuer.verify(token, SCOPE) !== undefined)).toEqual([]);
  });

  it("accepts a token of exactly the scope that it was issued for", () => {
    fc.assert(
      fc.property(scope, scope, (one, other) => {
        const { token } = issuer.issue(one);
        expect(issuer.verify(token, { ...one })).toBeDefined();
        const isSame =
          JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
        expect(issuer.verify(token, other) !== undefined).toBe(isSame);
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
        expect(issuer.verify(value, SCOPE)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
