import { createHash } from "node:crypto";
import { createRiskClient, createVelocity } from "@riskgate/core";
import { serveHttp } from "@riskgate/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisCache } from "../src/cache.js";
import { createRedisVelocityStore } from "../src/velocity-store.js";
import { openClient } from "./support/clients.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const VISIT = { email: "ada@shop.example", ip: "9.9.9.9" };

async function openRedis() {
  const server = await startRedis();
  onTestFinished(async () => server.close());
  const redis = await openClient(server.url);
  onTestFinished(redis.close);
  /** Returns all keys, with the texts stored in them, and deletes them. */
  const take = async (): Promise<string[]> => {
    const keys = (await redis.send("KEYS", "*")) as string[];
    const texts: string[] = [];
    for (const key of keys) {
      const isText = (await redis.send("TYPE", key)) === "string";
      texts.push(key, JSON.stringify(await redis.send(isText ? "GET" : "HGETALL", key)));
    }
    await redis.send("FLUSHALL");
    return texts;
  };
  return { ...redis, take };
}

/** Returns the digests in stored texts; a short number is not one. */
const digestsIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.match(/[\w-]{22,}/g) ?? []);

describe.skipIf(!hasRedis)("the content of Redis (without redis-server: skipped)", () => {
  it("has no digest of velocity counts that can be computed without the secret", async () => {
    const { client, take } = await openRedis();
    const digests = async (secret?: string | Uint8Array) => {
      const options = secret === undefined ? {} : { secret };
      const store = createRedisVelocityStore(client, { timeoutMs: 20_000, ...options });
      for (const counts of ["signups", "failed_logins"] as const) {
        await createVelocity({ store, counts }).count(VISIT);
      }
      return digestsIn(await take());
    };
    const keyed = await digests(SECRET);
    expect(keyed.length).toBeGreaterThan(5);
    expect(await digests(Buffer.from(SECRET))).toEqual(expect.arrayContaining(keyed));
    for (const others of [await digests(), await digests(`another ${SECRET}`)]) {
      expect(others).toHaveLength(keyed.length);
      expect(others.filter((digest) => keyed.includes(digest))).toEqual([]);
    }
  });

  it("has no digest of cached assessments that can be computed without the API key", async () => {
    const { client, send, take } = await openRedis();
    const { port, close } = await serveHttp((request, response) => {
      const type = request.url?.startsWith("/v1/ips/") ? "ip" : "email";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ [type]: VISIT[type], risk_score: 0 }));
    });
    onTestFinished(close);
    const stored = async (apiKey: string) => {
      const store = createRedisCache(client, { timeoutMs: 20_000 });
      const baseUrl = `http://127.0.0.1:${port}`;
      const lookup = createRiskClient({ baseUrl, apiKey, cache: { store }, timeoutMs: 20_000 });
      await Promise.all([lookup.lookupIp(VISIT.ip), lookup.lookupEmail(VISIT.email)]);
      await expect.poll(async () => send("DBSIZE")).toBe(2);
      await lookup.close();
      return take();
    };
    const texts = await stored("one-api-key");
    for (const identifier of [VISIT.ip, VISIT.email]) {
      expect(texts.join()).not.toContain(identifier);
      for (const form of ["hex", "base64url"] as const) {
        const plain = createHash("sha256").update(identifier).digest(form).slice(0, 22);
        expect(texts.join()).not.toContain(plain);
      }
    }
    const others = digestsIn(await stored("another-api-key"));
    expect(digestsIn(texts).filter((digest) => others.includes(digest))).toEqual([]);
  });

  it("refuses a short secret, and does not show it", async () => {
    const { client } = await openRedis();
    expect(() => createRedisVelocityStore(client, { secret: "too-short" })).toThrow(
      "`secret` must be text or bytes, at least 32 bytes long, given a string",
    );
  });
});
