import { randomUUID } from "node:crypto";
import type { ErrorCode, SingleUseStore } from "@riskgate/core";
import { riskGate } from "@riskgate/express";
import { createFakeLookup, rawRequest, serveHttp } from "@riskgate/testing";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisSeenStore } from "../src/seen-store.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

const SECRET = "0123456789abcdef0123456789abcdef";

/** One of several servers behind one address; counts how often it confirmed an answer. */
async function serveApp(seen: SingleUseStore) {
  const codes: ErrorCode[] = [];
  const app = express();
  const gate = riskGate({
    lookup: createFakeLookup({}, { otherwise: { risk_score: 60 } }),
    challengeAbove: 50,
    challenge: { secrets: SECRET, seen, timeoutMs: 20_000 },
    verifyChallenge: () => ++server.confirmed > 0,
    onError: ({ code }) => codes.push(code),
  });
  app.post("/signup", express.json(), gate, (_request, response) => {
    response.end("passed");
  });
  const { port, close } = await serveHttp(app);
  onTestFinished(close);
  const server = {
    codes,
    confirmed: 0,
    async send(token = "") {
      const headers = [
        ["Content-Type", "application/json"],
        ["X-Challenge-Token", token],
      ] as const;
      const body = '{"email":"odd@shop.example"}';
      const answer = await rawRequest(port, { path: "/signup", headers, body });
      const [, fresh = ""] = /"challengeToken":"([^"]+)"/.exec(answer.body) ?? [];
      return { status: answer.status, token: fresh };
    },
  };
  return server;
}

describe.skipIf(!hasRedis).each(CLIENTS.filter(([name]) => name !== "ioredis 5"))(
  "challenges over %s (without redis-server: skipped)",
  (_, openClient) => {
    it("CHL-03 take each token once on all servers together", async () => {
      const redis = await startRedis();
      onTestFinished(async () => redis.close());
      const prefix = `${randomUUID()}:`;
      const open = async () => {
        const { client, close } = await openClient(redis.url);
        onTestFinished(close);
        return serveApp(createRedisSeenStore(client, { prefix, timeoutMs: 20_000 }));
      };
      const servers = await Promise.all([open(), open()]);
      for (let n = 0; n < 20; n++) {
        const { token } = await servers.at(n % 2)!.send();
        const answers = await Promise.all(
          Array.from({ length: 10 }, async (__, m) => servers.at(m % 2)!.send(token)),
        );
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      }
      expect(servers.map(({ confirmed }) => confirmed).reduce((a, b) => a + b)).toBe(20);
      expect(servers.flatMap(({ codes }) => codes)).toEqual([]);
    });

    it("CHL-09 pass nobody while Redis is away", async () => {
      const redis = await startRedis();
      onTestFinished(async () => redis.close());
      const { client, close } = await openClient(redis.url);
      onTestFinished(close);
      const onError = (): void => {};
      const server = await serveApp(createRedisSeenStore(client, { timeoutMs: 500, onError }));
      const { token } = await server.send();
      await redis.kill();
      expect((await server.send(token)).status).toBe(403);
      expect([server.codes, server.confirmed]).toEqual([["STORE_FAILED"], 0]);
    });
  },
);
