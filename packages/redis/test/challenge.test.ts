import { randomUUID } from "node:crypto";
import type { ErrorCode, SingleUseStore } from "@riskgate/core";
import { riskGate } from "@riskgate/express";
import { createFakeLookup, rawRequest, serveHttp } from "@riskgate/testing";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisSingleUseStore } from "../src/single-use-store.js";
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
        return serveApp(createRedisSingleUseStore(client, { prefix, timeoutMs: 20_000 }));
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
      const server = await serveApp(createRedisSingleUseStore(client, { timeoutMs: 500, onError }));
      const { token } = await server.send();
      await redis.kill();
      expect((await server.send(token)).status).toBe(403);
      expect([server.codes, server.confirmed]).toEqual([["STORE_FAILED"], 0]);
    });

    it("CHL-11 keeps a token exactly as long as it can be valid, and no address", async () => {
      const redis = await startRedis();
      onTestFinished(async () => redis.close());
      const { client, close, send } = await openClient(redis.url);
      onTestFinished(close);
      const seen = createRedisSingleUseStore(client, { timeoutMs: 20_000 });
      const server = await serveApp(seen);
      await server.send((await server.send()).token);
      const keys = (await send("KEYS", "*")) as string[];
      // The unsolved token has been solved.
      expect(keys).toEqual([expect.stringMatching(/^\{riskgate\}:challenge:[\w-]{43}$/)]);
      const leftMs = Number(await send("PTTL", ...keys));
      expect(leftMs).toBeLessThanOrEqual(360_000);
      expect(leftMs).toBeGreaterThan(300_000);
      const token = { nonce: "a", network: "n", maxUnsolved: 3, maxTotal: 3 };
      await seen.use({ ...token, ttlMs: 60_000 });
      await seen.use({ ...token, nonce: "b", ttlMs: 30_000 });
      for (const key of ["n", "n:unsolved"]) {
        const left = Number(await send("PTTL", `{riskgate}:challenge:${key}`));
        expect(left).toBeGreaterThan(30_000);
        expect(left).toBeLessThanOrEqual(60_000);
      }
    });

    it("CHL-09 refuses a Redis that may evict, until it does not", async () => {
      const redis = await startRedis({ "maxmemory-policy": "volatile-lru" });
      onTestFinished(async () => redis.close());
      const { client, close, send } = await openClient(redis.url);
      onTestFinished(close);
      const errors: ErrorCode[] = [];
      const onError = ({ code }: { code: ErrorCode }) => errors.push(code);
      const seen = createRedisSingleUseStore(client, { timeoutMs: 20_000, onError });
      await expect(seen.ready()).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("set `maxmemory-policy noeviction`") as string,
      });
      const server = await serveApp(seen);
      expect((await server.send((await server.send()).token)).status).toBe(403);
      expect([errors, server.codes]).toEqual([["CONFIG_INVALID"], ["STORE_FAILED"]]);
      await send("CONFIG", "SET", "maxmemory-policy", "noeviction");
      expect((await server.send((await server.send()).token)).status).toBe(200);
      expect(server.confirmed).toBe(1);
    });
  },
);
