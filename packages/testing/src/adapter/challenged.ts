import type { Decision } from "@riskgate/core";
import { createFakeLookup } from "../fake/fake-lookup.js";
import type { RawAnswer } from "../http/raw-answer.js";
import type { GatePlanOptions } from "./adapter-harness.js";
import { CHALLENGE_SECRET, problemBody } from "./known.js";
import { BELIEVE_PEER, gated, signUp } from "./sign-up.js";

/** An email that is challenged, one that is refused, and one that passes. */
export const ODD = "odd@shop.example";
export const BAD = "bad@shop.example";
export const GOOD = "good@shop.example";

/** Plans one route whose gate challenges, and trusts its peer about the client's address. */
export function challenged(
  options: Partial<GatePlanOptions> = {},
  decisions: Decision[] = [],
): ReturnType<typeof gated> {
  const lookup = createFakeLookup({
    [ODD]: { risk_score: 60 },
    "other@shop.example": { risk_score: 60 },
    [BAD]: { risk_score: 95 },
  });
  return gated(
    {
      lookup,
      challengeAbove: 50,
      challenge: { secrets: CHALLENGE_SECRET },
      verifyChallenge: () => true,
      onError() {},
      ...BELIEVE_PEER,
      ...options,
    },
    decisions,
  );
}

export function answerWith(
  port: number,
  token?: string,
  who: { readonly email?: string; readonly ip?: string } = {},
): Promise<RawAnswer> {
  const more = token === undefined ? [] : [["X-Challenge-Token", token] as const];
  return signUp(port, { email: ODD, ip: "8.8.8.8", more, ...who });
}

/** Returns the token in a response; empty without one. */
export function tokenIn({ body }: RawAnswer): string {
  return /"challengeToken":"([^"]+)"/.exec(body)?.[1] ?? "";
}

export async function freshToken(
  port: number,
  who: { readonly email?: string; readonly ip?: string } = {},
): Promise<string> {
  return tokenIn(await answerWith(port, undefined, who));
}

export function challengeBody(token: string): string {
  const refusal = problemBody(403, "CHALLENGE_REQUIRED", "The request needs another check");
  return `${refusal.slice(0, -1)},"challengeToken":"${token}"}`;
}
