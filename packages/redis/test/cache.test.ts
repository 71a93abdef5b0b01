import { randomUUID } from "node:crypto";
import { createRiskClient, type RiskClient } from "@riskgate/core";
import { createFakeService, type FakeService } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createRedisCache, type RedisCacheOptions } from "../src/cache.js";
import { CLIENTS, type OpenClient, openClient } from "./support/clients.js";
import { hasRedis, type RedisServer, startRedis } from "./support/redis-server.js";

const API_KEY = "key-that-nobody-may-see";

describe.skipIf(!hasRedis)("a client with a Redis cache (without redis-server: skipped)", () => {
  let server: RedisServer;
  let service: FakeService;
  beforeAll(async () => {
    server = await startRedis();
    service = await createFakeService({ apiKey: API_KEY, otherwise: { risk_score: 7 } });
  });
  afterAll(async () => {
    await service.close();
    await server.close();
  });

  /** A lookup client with a cache of its own, as one process of an application has it. */
  const lookups = (redis: OpenClient, options: RedisCacheOptions): RiskClient => {
    const store = createRedisCache(redis.client, { timeoutMs: 20_000, onError() {}, ...options });
    const client = createRiskClient({
      baseUrl: service.baseUrl,
      apiKey: API_KEY,
      timeoutMs: 30_000,
      cache: { store },
    });
    onTestFinished(async () => client.close());
    return client;
  };
  const open = async (url = server.url): Promise<OpenClient> => {
    const redis = await openClient(url);
    onTestFinished(redis.close);
    return redis;
  };
  const onlyKey = async ({ send }: OpenClient, prefix: string): Promise<string> => {
    await expect.poll(async () => send("KEYS", `${prefix}*`)).toHaveLength(1);
    const [key = ""] = (await send("KEYS", `${prefix}*`)) as string[];
    return key;
  };

  it.each(CLIENTS)("finds what another process has stored, with %s", async (_, openEach) => {
    const redis = await openEach(server.url);
    onTestFinished(redis.close);
    const prefix = `${randomUUID()}:`;
    const before = service.requests.length;
    await lookups(redis, { prefix }).lookupEmail("a@shop.example");
    await onlyKey(redis, prefix);
    const found = await lookups(redis, { prefix }).lookupEmail("a@shop.example");
    expect(found).toMatchObject({ email: "a@shop.example", risk_score: 7 });
    expect(service.requests.length - before).toBe(1);
  });

  const valid = { risk_score: 0 };
  it.each<[string, (name: string, text: string) => string | Buffer]>([
    ["no JSON", () => "not json"],
    ["an empty object", () => "{}"],
    ["an assessment alone", () => '{"risk_score":"0"}'],
    ["an older form", (_, text) => JSON.stringify({ ...(JSON.parse(text) as object), v: 0 })],
    ["10 MiB", (_, text) => text + " ".repeat(10 * 1024 * 1024)],
    ["bytes", () => Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])],
    [
      "a score that is a text",
      (_, text) => JSON.stringify({ ...(JSON.parse(text) as object), a: { risk_score: "0" } }),
    ],
    [
      "the entry of another identifier",
      (name) => JSON.stringify({ v: 1, k: name.replace(/.$/, "x"), t: 9e15, a: valid }),
    ],
  ])("CAC-13 takes %s for a miss, and writes over it", async (_, spoil) => {
    const redis = await open();
    const prefix = `${randomUUID()}:`;
    await lookups(redis, { prefix }).lookupIp("203.0.113.7");
    const name = await onlyKey(redis, prefix);
    const good = String(await redis.send("GET", name));
    const bad = spoil(name.slice(prefix.length), good);
    await redis.send("SET", name, bad as string, "PX", "60000");
    const before = service.requests.length;
    const found = await lookups(redis, { prefix }).lookupIp("203.0.113.7");
    expect(found.risk_score).toBe(7);
    expect(service.requests.length - before).toBe(1);
    await expect
      .poll(async () => (JSON.parse(String(await redis.send("GET", name))) as { a: object }).a)
      .toEqual((JSON.parse(good) as { a: object }).a);
  });

  it("CAC-13 takes a key of another type for a miss", async () => {
    const redis = await open();
    const prefix = `${randomUUID()}:`;
    await lookups(redis, { prefix }).lookupIp("203.0.113.8");
    const name = await onlyKey(redis, prefix);
    await redis.send("DEL", name);
    await redis.send("RPUSH", name, "a list");
    expect((await lookups(redis, { prefix }).lookupIp("203.0.113.8")).risk_score).toBe(7);
    await expect.poll(async () => redis.send("TYPE", name)).toBe("string");
  });

  it.each([0, 50])(
    "CAC-14 CAC-15 leaves no key without end and no address, %i ms flights",
    async (flightMs) => {
      const redis = await open();
      const prefix = `${randomUUID()}:`;
      const client = lookups(redis, { prefix, flightMs });
      const asks = Array.from({ length: 500 }, async (_, index) =>
        Promise.all([
          client.lookupEmail(`user-${index}@shop.example`),
          client.lookupIp(`198.51.${index >> 8}.${index & 255}`),
        ]),
      );
      await Promise.all(asks);
      let keys: string[] = [];
      await expect
        .poll(async () => (keys = (await redis.send("KEYS", `${prefix}*`)) as string[]).length)
        .toBe(1_000);
      const texts: unknown[] = [];
      for (const key of keys) {
        expect(await redis.send("PTTL", key)).toBeGreaterThan(0);
        texts.push(key.slice(prefix.length), await redis.send("GET", key));
      }
      expect(texts.join("\n")).not.toMatch(/shop\.example|198\.51\.|key-that-nobody|127\.0\.0\.1/);
    },
  );

  describe("in an outage", () => {
    it.each([
      ["is frozen", async (redis: RedisServer) => redis.freeze()],
      ["is gone", async (redis: RedisServer) => redis.kill()],
    ])("is skipped while Redis %s, and used again afterwards", async (_, stop) => {
      const own = await startRedis();
      onTestFinished(async () => own.close());
      const redis = await open(own.url);
      const errors: string[] = [];
      const store = createRedisCache(redis.client, { onError: ({ code }) => errors.push(code) });
      const key = "a".repeat(64);
      await expect.poll(async () => store.set(key, "kept", 60_000)).toBeUndefined();
      errors.length = 0;
      await stop(own);
      await expect.poll(async () => store.get(key).then(String, () => "down")).toBe("down");
      // None of these waits for Redis: 1,000 waits of 100 ms would take longer than the test may.
      for (let count = 0; count < 1_000; count++) {
        await expect(store.get(key)).rejects.toThrow("not sent");
      }
      expect(errors).toEqual(["STORE_FAILED"]);
      own.thaw();
      await own.kill();
      await own.start();
      await expect.poll(async () => store.get(key).catch(() => "down")).toBe("kept");
    });

    it("leaves lookups as they are", async () => {
      const own = await startRedis();
      onTestFinished(async () => own.close());
      const client = lookups(await open(own.url), { timeoutMs: 50 });
      own.freeze();
      for (let index = 0; index < 20; index++) {
        expect((await client.lookupIp(`203.0.113.${index}`)).risk_score).toBe(7);
      }
      own.thaw();
    });
  });

  describe("with flights", () => {
    it("waits for the answer that another process fetches", async () => {
      const redis = await open();
      const options = { prefix: `${randomUUID()}:`, flightMs: 20_000, timeoutMs: 20_000 };
      const first = createRedisCache(redis.client, options);
      const key = "b".repeat(64);
      expect(await first.get(key)).toBeUndefined();
      const sent: string[] = [];
      const noting = {
        duplicate: () => noting,
        disconnect() {},
        call: async (command: string, args: string[]) => {
          sent.push(...args);
          return redis.send(command, ...args);
        },
      };
      const waiting = createRedisCache(noting, options).get(key);
      // It has asked for the lead, which the first one has.
      await expect.poll(() => sent).toContain("NX");
      await first.set(key, "answer", 60_000);
      expect(await waiting).toBe("answer");
      expect(await redis.send("KEYS", `${options.prefix}*flight`)).toEqual([]);
    });

    it("fetches nothing that came between the look and the lead", async () => {
      const redis = await open();
      const options = { prefix: `${randomUUID()}:`, flightMs: 20_000, timeoutMs: 20_000 };
      const first = createRedisCache(redis.client, options);
      const key = "d".repeat(64);
      expect(await first.get(key)).toBeUndefined();
      // As if the first process were done just when this one wants to take the lead.
      let sent: Promise<unknown> = Promise.resolve();
      const late = {
        duplicate: () => late,
        disconnect() {},
        call: async (command: string, args: string[]) => {
          const stored = args.includes("NX") ? first.set(key, "answer", 60_000) : undefined;
          sent = Promise.all([sent, stored]).then(async () => redis.send(command, ...args));
          return sent;
        },
      };
      const second = createRedisCache(late, options);
      expect(await second.get(key)).toBe("answer");
    });

    it("goes on alone when no answer comes", async () => {
      const redis = await open();
      const options = { prefix: `${randomUUID()}:`, flightMs: 30, timeoutMs: 20_000 };
      const [first, second] = [1, 2].map(() => createRedisCache(redis.client, options));
      const key = "c".repeat(64);
      expect(await first?.get(key)).toBeUndefined();
      expect(await second?.get(key)).toBeUndefined();
    });
  });

  it.each<[string, unknown, RedisCacheOptions]>([
    ["no client", {}, {}],
    ["a promise of a client", Promise.resolve(), {}],
    ["an option that is not known", undefined, { ttlMs: 1 } as RedisCacheOptions],
    ["a time below 0", undefined, { flightMs: -1 }],
  ])("refuses %s", async (_, given, options) => {
    const redis = await open();
    const make = () => createRedisCache((given ?? redis.client) as OpenClient["client"], options);
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }) as Error);
  });
});
