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

describe("createTokenIssuer", async () => {
  it("accepts its own tokens until they expire", async () => {
    const { token, expiresMs } = await issuer.issue(SCOPE);
    expect(expiresMs).toBe(START_MS + TTL_MS);
    expect(await issuer.verify(token, SCOPE)).toEqual({
      nonce: expect.stringMatching(/^[\w-]{22}$/) as string,
      network: expect.stringMatching(/^[\w-]{43}$/) as string,
      leftMs: TTL_MS,
    });
    expect(await issuerAt(expiresMs - 1).verify(token, SCOPE)).toBeDefined();
    expect(await issuerAt(expiresMs).verify(token, SCOPE)).toBeUndefined();
  });

  it("accepts the tokens of a server whose clock is a minute ahead, and no more", async () => {
    expect(await issuer.verify(await issuedAt(START_MS + 60_000, SCOPE), SCOPE)).toBeDefined();
    expect(await issuer.verify(await issuedAt(START_MS + 60_001, SCOPE), SCOPE)).toBeUndefined();
  });

  it("gives each token a nonce of its own", async () => {
    const nonces = await Promise.all(
      Array.from({ length: 1000 }, async () => {
        const { token } = await issuer.issue(SCOPE);
        return (await issuer.verify(token, SCOPE))?.nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(1000);
  });

  it("puts nothing of the scope or the secret into the token", async () => {
    const { token } = await issuer.issue(SCOPE);
    const text = token.split(".").map((one) => Buffer.from(one, "base64url").toString("latin1"));
    for (const part of ["a@x.y", "8.8.8.8", "/signup", SECRET]) {
      expect(token).not.toContain(part);
      expect(text.join()).not.toContain(part);
    }
  });

  it("counts an IPv4 address and an IPv6 /56 as one network, by a keyed digest", async () => {
    const networkOf = async (network: string | null, by = issuer) => {
      const scope = { ...SCOPE, network };
      return (await by.verify((await by.issue(scope)).token, scope))?.network;
    };
    const same = ["20010db8:0/64", "20010db8:1/64", "20010db8:ff/64"];
    const others = ["20010db8:100/64", "20010db8:1ff00/64", "20010db9:0/64", "8.8.8.8", null];
    const count = async (networks: readonly (string | null)[]) =>
      new Set(await Promise.all(networks.map(async (network) => networkOf(network)))).size;
    expect(await count(same)).toBe(1);
    expect(await count([...same, ...others])).toBe(6);
    const other = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    expect(await networkOf("8.8.8.8", other)).not.toBe(await networkOf("8.8.8.8"));
  });

  it("keeps the network of a token when secrets are rotated", async () => {
    const both = createTokenIssuer({ secrets: [OTHER, SECRET], ttlMs: TTL_MS, now });
    const { token } = await issuer.issue(SCOPE);
    expect(await both.verify(token, SCOPE)).toEqual(await issuer.verify(token, SCOPE));
  });

  it("verifies with every secret and signs with the first", async () => {
    const both = createTokenIssuer({ secrets: [OTHER, SECRET], ttlMs: TTL_MS, now });
    const later = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    const old = (await issuer.issue(SCOPE)).token;
    const fresh = (await both.issue(SCOPE)).token;
    expect(await both.verify(old, SCOPE)).toBeDefined();
    expect(await later.verify(fresh, SCOPE)).toBeDefined();
    expect(await later.verify(old, SCOPE)).toBeUndefined();
    expect(await issuer.verify(fresh, SCOPE)).toBeUndefined();
  });

  // `full/forged-tokens.test.ts` makes 10,000 of each.
  it.each(Object.entries(ATTACKS))("CHL-05 accepts no token with %s", async (_, attack) => {
    const tokens = await Promise.all(Array.from({ length: 200 }, async (__, n) => attack(n)));
    const valid = await Promise.all(tokens.map(async (token) => issuer.verify(token, SCOPE)));
    expect(valid.filter((token) => token !== undefined)).toEqual([]);
  });

  it("accepts a token of exactly the scope that it was issued for", async () => {
    await fc.assert(
      fc.asyncProperty(scope, scope, async (one, other) => {
        const { token } = await issuer.issue(one);
        expect(await issuer.verify(token, { ...one })).toBeDefined();
        const isSame =
          JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
        expect((await issuer.verify(token, other)) !== undefined).toBe(isSame);
      }),
    );
  });

  it("takes any value for a token, and accepts none that it did not issue", async () => {
    const { token } = await issuer.issue(SCOPE);
    const near = fc
      .tuple(fc.nat({ max: token.length }), fc.nat({ max: 5 }), fc.string({ maxLength: 5 }))
      .map(([at, count, text]) => token.slice(0, at) + text + token.slice(at + count))
      .filter((text) => text !== token);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.string({ unit: "binary" }), near),
        async (value) => {
          expect(await issuer.verify(value, SCOPE)).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("signs at once on Node, and nothing for the id of another key", () => {
    const other = createTokenIssuer({ secrets: [OTHER], ttlMs: TTL_MS, now });
    const { token } = issuer.issue(SCOPE) as { token: string };
    let signed = 0;
    const counted: TokenScope = {
      ...SCOPE,
      get method() {
        signed++;
        return SCOPE.method;
      },
    };
    expect(other.verify(token, counted)).toBeUndefined();
    expect(signed).toBe(0);
    expect(issuer.verify(token, counted)).toHaveProperty("leftMs", TTL_MS);
    expect(signed).toBe(1);
  });
});
