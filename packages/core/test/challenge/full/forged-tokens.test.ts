import { describe, expect, it } from "vitest";
import { createTokenIssuer } from "../../../src/challenge/challenge-token.js";
import { createMemoryUses, useUp } from "../../../src/challenge/single-use.js";
import {
  ATTACKS,
  issuedAt,
  now,
  SCOPE,
  SECRET,
  START_MS,
  TTL_MS,
} from "../../support/token-attacks.js";

const TOKENS = 10_000;

describe("challenge tokens", () => {
  const issuer = createTokenIssuer({ secrets: [SECRET], ttlMs: TTL_MS, now });

  it.each(Object.entries(ATTACKS))(
    `CHL-05 accepts none of ${TOKENS} with %s`,
    async (_, attack) => {
      let accepted = 0;
      for (let n = 0; n < TOKENS; n++) {
        if ((await issuer.verify(await attack(n), SCOPE)) !== undefined) accepted++;
      }
      expect(accepted).toBe(0);
    },
  );

  it(`CHL-03 accepts each of ${TOKENS} once, however often and fast it comes back`, async () => {
    const uses = createMemoryUses({ now });
    let first = 0;
    for (let n = 0; n < TOKENS; n++) {
      const scope = { ...SCOPE, network: `8.8.${n >> 8}.${n & 255}` };
      const token = (await issuer.verify(await issuedAt(START_MS, scope), scope))!;
      const tries = await Promise.all([1, 2, 3].map(async () => useUp(uses, token)));
      first += tries.filter((answer) => answer === "new").length;
    }
    expect(first).toBe(TOKENS);
  });
});
