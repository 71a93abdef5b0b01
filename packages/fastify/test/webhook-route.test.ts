import type { AddressInfo } from "node:net";
import { signDelivery } from "@riskgate/testing";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { unendedRequest } from "../../../tools/test/http2-request.js";
import { webhookRoute } from "../src/webhook-route.js";

const WRONG = "0".repeat(64);
const path = "/hook";
const secrets = "hook-secret-1";
const on = { test() {} };

describe("a webhook over HTTP/2", () => {
  it.each<[string, number, Record<string, string>]>([
    ["an unsigned delivery", 401, {}],
    ["another method", 405, { ":method": "PUT" }],
    ["another type", 415, { "x-service-integrity": WRONG, "content-type": "text/plain" }],
    [
      "a declared length over the limit",
      413,
      { "x-service-integrity": WRONG, "content-length": "99" },
    ],
    ["a body that takes too long", 408, { "x-service-integrity": WRONG }],
  ])("WHR-40 leaves no stream open for %s", async (_, status, headers) => {
    const app = fastify({ http2: true });
    onTestFinished(() => app.close());
    await app.register(webhookRoute, { path, secrets, on, maxBytes: 50, bodyTimeoutMs: 50 });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    const typed = { ":path": path, "content-type": "application/json", ...headers };
    expect(await unendedRequest(port, typed, "[]")).toMatchObject({ status, rstCode: 0 });
  });
});

describe("a body that a hook of Fastify has read", () => {
  const { body, headers } = signDelivery([{ service_payload_type: "test" }], secrets);

  it.each<[string, (bytes: Buffer) => unknown, number]>([
    ["kept as bytes", (bytes) => bytes, 204],
    ["kept as text", String, 500],
    ["not kept", () => undefined, 500],
  ])("WHR-39 gets a verdict where it is %s: %i", async (_, keep, status) => {
    const app = fastify();
    onTestFinished(() => app.close());
    // As plugins do that keep the raw body beside the parsed one.
    app.addHook("preParsing", async (request, _reply, payload) => {
      const pieces: Buffer[] = [];
      for await (const piece of payload) pieces.push(piece as Buffer);
      Object.assign(request, { rawBody: keep(Buffer.concat(pieces)) });
      return payload;
    });
    await app.register(webhookRoute, { path, secrets, on, onError() {} });
    const answer = await app.inject({ method: "POST", url: path, payload: body, headers });
    expect(answer.statusCode).toBe(status);
  });
});
