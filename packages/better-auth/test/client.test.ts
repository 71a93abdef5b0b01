import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { createAuthClient } from "better-auth/client";
import { toNodeHandler } from "better-auth/node";
import { serveHttp } from "@riskgate/testing";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { riskGateClient, type RiskGateClientOptions } from "../src/client.js";
import { riskGate } from "../src/risk-gate.js";

const PASSWORD = "correct horse battery staple";

/** Serves an application that challenges every sign-up, and returns its client. */
async function openClient({ onChallenge }: RiskGateClientOptions) {
  const auth = betterAuth({
    secret: "value-0123456789abcdef-0123456789abcdef",
    baseURL: "http://127.0.0.1",
    trustedOrigins: ["*"],
    rateLimit: { enabled: false },
    logger: { disabled: true },
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    plugins: [
      riskGate({
        lookup: {
          lookupIp: async (ip) => Promise.resolve({ ip, risk_score: 0 }),
          lookupEmail: async (email) => Promise.resolve({ email, risk_score: 70 }),
        },
        clientAddress: () => "203.0.113.7",
        challengeAbove: 60,
        challenge: { secrets: "c".repeat(32) },
        verifyChallenge: (request) => request.headers.get("x-captcha") === "solved",
      }),
    ],
  });
  expectTypeOf(auth.$ERROR_CODES.RISK_REJECTED.code).toEqualTypeOf<"RISK_REJECTED">();
  const handle = toNodeHandler(auth);
  const { port, close } = await serveHttp((request, response) => void handle(request, response));
  onTestFinished(close);
  return createAuthClient({
    baseURL: `http://127.0.0.1:${port}`,
    plugins: [riskGateClient(onChallenge ? { onChallenge } : {})],
    fetchOptions: { headers: { origin: `http://127.0.0.1:${port}` } },
  });
}

const visitor = { email: "ada@shop.example", password: PASSWORD, name: "Ada" };

describe("riskGateClient", () => {
  it("repeats a challenged request with the token and the solution", async () => {
    const tokens: string[] = [];
    const client = await openClient({
      async onChallenge({ token }) {
        tokens.push(token);
        return Promise.resolve({ "x-captcha": "solved" });
      },
    });
    expectTypeOf(client.$ERROR_CODES.CHALLENGE_REQUIRED.code).toEqualTypeOf<"CHALLENGE_REQUIRED">();
    const { data, error } = await client.signUp.email(visitor);
    expect(error).toBeNull();
    expect(data?.user.email).toBe(visitor.email);
    expect(tokens).toHaveLength(1);
  });

  it.each<[string, RiskGateClientOptions]>([
    ["the solution is wrong", { onChallenge: async () => Promise.resolve({ "x-captcha": "no" }) }],
    ["the visitor cancels", { onChallenge: async () => Promise.resolve(undefined) }],
    ["it has no challenge to show", {}],
  ])("passes the error to the caller if %s", async (_, options) => {
    const client = await openClient(options);
    const { error } = await client.signUp.email(visitor);
    expect(error).toMatchObject({ status: 403, code: "CHALLENGE_REQUIRED" });
  });
});
