import type { ErrorCode } from "@riskgate/core";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisBlockStore } from "../src/block-store.js";
import type { RedisClient } from "../src/client.js";
import { createRedisDeviceStore } from "../src/device-store.js";
import { createRedisSingleUseStore } from "../src/single-use-store.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

type Factory = (
  client: RedisClient,
  options: { readonly onError: (error: { readonly code: ErrorCode }) => void },
) => { ready(): Promise<void> };

const STORES: readonly (readonly [name: string, create: Factory])[] = [
  ["createRedisSingleUseStore", createRedisSingleUseStore],
  ["createRedisDeviceStore", createRedisDeviceStore],
  ["createRedisBlockStore", createRedisBlockStore],
];

const EVICTS = { "maxmemory-policy": "allkeys-lru" };

const refusal = {
  code: "CONFIG_INVALID",
  message: expect.stringContaining("set `maxmemory-policy noeviction`") as string,
  hint: expect.stringContaining("separate Redis server") as string,
};

async function openRedis(settings?: Record<string, string>) {
  const redis = await startRedis(settings);
  onTestFinished(async () => redis.close());
  return redis;
}

describe.skipIf(!hasRedis).each(STORES)(
  "%s refuses a Redis that may evict, before any request (without redis-server: skipped)",
  (_, create) => {
    it("when its client connects after the store was created", async () => {
      const redis = await openRedis(EVICTS);
      const client = createClient({ url: redis.url }).on("error", () => {});
      const errors: unknown[] = [];
      const store = create(client, { onError: (error) => errors.push(error) });
      await expect(store.ready()).rejects.toBeInstanceOf(Error);
      expect(errors).toEqual([]);
      await client.connect();
      onTestFinished(() => client.destroy());
      await expect.poll(() => errors, { timeout: 20_000 }).toMatchObject([refusal]);
      await expect(store.ready()).rejects.toMatchObject(refusal);
    });

    it.each(CLIENTS)("when %s comes back to one", async (__, openClient) => {
      const redis = await openRedis();
      const { client, close, send } = await openClient(redis.url);
      onTestFinished(close);
      const errors: unknown[] = [];
      const store = create(client, { onError: (error) => errors.push(error) });
      await store.ready();
      await send("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
      await store.ready();
      expect(errors).toEqual([]);
      await send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no").catch(() => {});
      await expect.poll(() => errors, { timeout: 20_000 }).toMatchObject([refusal]);
      await expect(store.ready()).rejects.toMatchObject(refusal);
      await send("CONFIG", "SET", "maxmemory-policy", "noeviction");
      await store.ready();
    });
  },
);
