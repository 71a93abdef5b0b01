import { doubleLookup } from "./double-lookup.js";
import { type Args, gatedServer, type GatedServer, signUp } from "./gated-server.js";
import type { RequestGateOptions } from "../../src/gate/request-gate-options.js";
import { SECRET } from "./token-attacks.js";

export const EMAIL = "odd@x.y";
export const IP = "8.8.8.8";

/** A gated route where one email and one address are to be challenged. */
export interface ChallengedServer extends GatedServer {
  /** Sign up; the answer, with the token that it asks to send back. */
  send(
    token?: string,
    from?: { readonly email?: string; readonly ip?: string },
  ): Promise<{ readonly status: number; readonly text: string; readonly token: string }>;
}

/** Serve a route with its own scores beside these two. */
export async function challengedServer(
  options: Partial<RequestGateOptions<Args>> = {},
  scores: Readonly<Record<string, number>> = {},
  gates = 1,
): Promise<ChallengedServer> {
  const server = await gatedServer(
    {
      lookup: doubleLookup({ [EMAIL]: 60, [IP]: 60, ...scores }),
      trustedProxies: ["loopback"],
      lookupPrivateIps: true,
      challengeAbove: 50,
      challenge: { secrets: SECRET },
      verifyChallenge: () => true,
      budgetMs: 60_000,
      onError: () => {},
      ...options,
    },
    gates,
  );
  return Object.assign(server, {
    async send(token?: string, { email = EMAIL, ip = IP } = {}) {
      const headers = {
        "x-forwarded-for": ip,
        ...(token !== undefined && { "x-challenge-token": token }),
      };
      const { status, text } = await signUp(server.port, { email }, headers);
      const isJson = text.startsWith("{");
      const { challengeToken = "" } = (isJson ? JSON.parse(text) : {}) as {
        challengeToken?: string;
      };
      return { status, text, token: challengeToken };
    },
  });
}
