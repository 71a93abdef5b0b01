import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { createRiskClient } from "@riskgate/core";
import { createFakeService } from "@riskgate/testing";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyFault } from "../../../src/http/sandbox/sandbox-fault.js";
import {
  SANDBOX_FAULTS,
  type SandboxFault,
  sandboxAnswer,
} from "../../../src/lookups/sandbox-answer.js";

/** Only the slow faults should meet it. */
const timeoutOf = (fault: SandboxFault): number => (fault.startsWith("slow") ? 300 : 10_000);

/** The error of a client for each fault. */
const CODES: Readonly<Record<SandboxFault, object>> = {
  unauthorized: { code: "UNAUTHORIZED", status: 401 },
  rate_limited: { code: "RATE_LIMITED", status: 429, retryAfterMs: 1000 },
  server_error: { code: "UPSTREAM_STATUS", status: 503 },
  redirect: { code: "REDIRECT_REFUSED" },
  broken_json: { code: "INVALID_RESPONSE", status: 200 },
  slow_headers: { code: "TIMEOUT" },
  slow_body: { code: "TIMEOUT" },
  reset: { code: "NETWORK" },
};

describe("applyFault", () => {
  let server: FastifyInstance;
  let baseUrl: string;

  beforeAll(async () => {
    server = fastify({ forceCloseConnections: true });
    server.get<{ Params: { email: string } }>("/v1/emails/:email", (request, reply) => {
      const { email } = request.params;
      const magic = sandboxAnswer("email", email);
      const text = JSON.stringify({ email, risk_score: 0 });
      if (magic && "fault" in magic) return applyFault(reply.hijack().raw, magic.fault, text);
      return reply.send({ email, risk_score: 0 });
    });
    baseUrl = await server.listen({ port: 0, host: "127.0.0.1" });
  });

  afterAll(() => server.close());

  it("answers a HEAD for a slow body at once", async () => {
    const url = `${baseUrl}/v1/emails/slow_body@example.com`;
    const answer = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(20_000) });
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  it.each(SANDBOX_FAULTS)("does of %s what the client has a code for", async (fault) => {
    const options = {
      apiKey: "key",
      timeoutMs: timeoutOf(fault),
      retries: 0,
      breaker: false,
    } as const;
    const client = createRiskClient({ baseUrl, ...options });
    const error = await client
      .lookupEmail(`${fault}@example.com`)
      .catch((thrown: unknown) => thrown);
    await client.close();
    expect(error).toMatchObject(CODES[fault]);
  });

  // The slow body of the fake service announces more than a client reads, which is another fault.
  const shared = SANDBOX_FAULTS.filter((fault) => fault !== "slow_body");

  it.each(shared)("does of %s what the fake service does", async (fault) => {
    const fake = await createFakeService({ otherwise: { fault }, apiKey: "key" });
    const client = createRiskClient({
      baseUrl: fake.baseUrl,
      apiKey: "key",
      timeoutMs: timeoutOf(fault),
      retries: 0,
      breaker: false,
    });
    const error = await client
      .lookupEmail(`${fault}@example.com`)
      .catch((thrown: unknown) => thrown);
    await client.close();
    await fake.close();
    expect(error).toMatchObject(CODES[fault]);
  });

  it.each(["unauthorized", "rate_limited", "server_error"])(
    "answers %s with the six members of the error body",
    async (fault) => {
      const response = await fetch(`${baseUrl}/v1/emails/${fault}@example.com`);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      const body = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(body)).toEqual(["code", "details", "errno", "error", "info", "message"]);
      expect(body).toMatchObject({ code: response.status, errno: response.status, info: "" });
    },
  );

  it("answers again after every fault", async () => {
    const response = await fetch(`${baseUrl}/v1/emails/ada@example.com`);
    expect(await response.json()).toEqual({ email: "ada@example.com", risk_score: 0 });
  });

  it("ends a slow answer when the client disconnects", async () => {
    const asked = once(server.server, "request") as Promise<[IncomingMessage]>;
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    socket.write("GET /v1/emails/slow_headers@example.com HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [request] = await asked;
    expect(request.url).toContain("slow_headers");
    socket.destroy();
    await expect.poll(() => request.socket.destroyed).toBe(true);
  });
});
