import { payloads, signDelivery } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type * as App from "../src/main.js";
import { balancerEvent, httpEvent, restEvent, urlEvent } from "./events.js";

const SECRET = "hook-secret-1";
const context = { getRemainingTimeInMillis: () => 60_000 };

let app: typeof App;
beforeAll(async () => {
  vi.stubEnv("RISKGATE_SIGNING_SECRET", SECRET);
  app = await import("../src/main.js");
});
afterAll(() => vi.unstubAllEnvs());

/** The four kinds of events, with their types and without a cast. */
const KINDS = [
  ["API Gateway, format 1.0", restEvent],
  ["API Gateway, format 2.0", httpEvent],
  ["a function URL", urlEvent],
  ["a load balancer", balancerEvent],
] as const;

describe.each(KINDS)("examples/lambda behind %s", (_, eventOf) => {
  const signUp = async (email: string) => {
    const headers = { "content-type": "application/json" };
    const body = Buffer.from(JSON.stringify({ email }));
    return app.signUp(eventOf({ path: "/signup", headers, body }), context);
  };
  const deliver = async (body: Buffer, headers: Record<string, string>) =>
    app.webhook(eventOf({ path: "/webhooks/security", headers, body }), context);

  it("passes, flags and rejects sign-ups", async () => {
    const passed = { created: true, watched: false };
    expect(await signUp("ada@example.com")).toMatchObject({ statusCode: 201 });
    expect(JSON.parse((await signUp("ada@example.com")).body)).toEqual(passed);
    expect(JSON.parse((await signUp("x@mailinator.com")).body)).toMatchObject({ watched: true });
    expect(await signUp("<script>alert(1)</script>@example.com")).toMatchObject({
      statusCode: 403,
      body: expect.stringContaining("RISK_REJECTED") as string,
    });
  });

  it("handles a signed delivery, and refuses a forged one and a large one", async () => {
    const { body, headers } = signDelivery([payloads.test()], SECRET);
    expect(await deliver(body, headers)).toMatchObject({ statusCode: 204 });
    expect(await deliver(Buffer.concat([body, Buffer.from(" ")]), headers)).toMatchObject({
      statusCode: 401,
    });
    const large = Buffer.alloc(5 * 1_048_576 + 1, " ");
    expect(await deliver(large, signDelivery(large.toString(), SECRET).headers)).toMatchObject({
      statusCode: 413,
    });
  });
});

it("answers 503 before its time ends", async () => {
  const sent = { path: "/webhooks/security", headers: {}, body: Buffer.from("[]") };
  const { body, headers } = signDelivery([payloads.test()], SECRET);
  const { webhookRoute } = await import("@riskgate/lambda");
  const route = webhookRoute({ secrets: SECRET, on: { test: async () => new Promise(() => {}) } });
  const event = httpEvent({ ...sent, headers, body });
  const answer = await route(event, { getRemainingTimeInMillis: () => 300 });
  expect(answer).toMatchObject({ statusCode: 503, headers: { "retry-after": "5" } });
});
