import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { CacheStore } from "@riskgate/core";
import {
  cacheStoreContract,
  inboxContract,
  seenStoreContract,
  velocityStoreContract,
} from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { singleUseContract } from "../../../../tools/test/single-use-contract.js";
import { attackStoreContract } from "../../../../tools/test/attack-store-contract.js";
import { deviceStoreContract } from "../../../../tools/test/device-store-contract.js";
import { createRedisAttackStore } from "../../src/attack-store.js";
import { createRedisDeviceStore } from "../../src/device-store.js";
import { createRedisCache } from "../../src/cache.js";
import { createRedisInbox } from "../../src/inbox.js";
import { createRedisSeenStore } from "../../src/seen-store.js";
import { createRedisSingleUseStore } from "../../src/single-use-store.js";
import { createRedisVelocityStore } from "../../src/velocity-store.js";
import type { CLIENTS, OpenClient } from "./clients.js";
import { hasRedis, type RedisServer, startRedis } from "./redis-server.js";

/** Times of the contract are stretched: no machine is so busy that they end by themselves. */
const STRETCH = 1_000;

/** Lets time pass for the keys of a store: each has so much less of its own left. */
const timeOf =
  ({ send }: OpenClient, prefix: string) =>
  async (ms: number): Promise<void> => {
    for (const key of (await send("KEYS", `${prefix}*`)) as string[]) {
      const leftMs = Number(await send("PTTL", key));
      if (leftMs >= 0) await send("PEXPIRE", key, String(leftMs - ms * STRETCH));
    }
  };

const stretched = (store: CacheStore): CacheStore => ({
  ...store,
  set: async (key, text, ttlMs) => store.set(key, text, ttlMs * STRETCH),
});

/** The parts of a window begin at multiples of it; the next such moment is in 2033. */
const WINDOW_MS = 1e12;

/** Every contract of `testing` that this package keeps, with each of these clients. */
export function contractCases(clients: typeof CLIENTS): void {
  describe.skipIf(!hasRedis).concurrent.each(clients)(
    "with %s (without redis-server: skipped)",
    (name, openClient) => {
      let server: RedisServer;
      beforeAll(async () => void (server = await startRedis()));
      afterAll(async () => server.close());

      describe("createRedisCache", () => {
        it.each(cacheStoreContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            async open() {
              const redis = await openClient(server.url);
              const options = { prefix: `${randomUUID()}:`, timeoutMs: 20_000 };
              return {
                store: stretched(createRedisCache(redis.client, options)),
                advance: timeOf(redis, options.prefix),
                close: async () => redis.close(),
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisSeenStore", () => {
        it.each(seenStoreContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            isBounded: false,
            async open({ ttlMs, reservationMs }) {
              const redis = await openClient(server.url);
              const prefix = `${randomUUID()}:`;
              const store = createRedisSeenStore(redis.client, {
                prefix,
                timeoutMs: 20_000,
                ttlMs: ttlMs * STRETCH,
                reservationMs: reservationMs * STRETCH,
              });
              return {
                store,
                advance: timeOf(redis, prefix),
                close: async () => redis.close(),
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisDeviceStore", () => {
        it.each(deviceStoreContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            async open() {
              const [one, two] = await Promise.all([
                openClient(server.url),
                openClient(server.url),
              ]);
              const options = { prefix: `{${randomUUID()}}:`, timeoutMs: 20_000 };
              return {
                store: createRedisDeviceStore(one.client, options),
                other: createRedisDeviceStore(two.client, options),
                advance: async (ms) => pause(ms),
                async close() {
                  one.close();
                  two.close();
                },
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisAttackStore", () => {
        it.each(attackStoreContract)("$id $title", async (check) => {
          const running = check.run({
            async open() {
              const [one, two] = await Promise.all([
                openClient(server.url),
                openClient(server.url),
              ]);
              const options = { prefix: `{${randomUUID()}}:`, timeoutMs: 20_000 };
              return {
                store: createRedisAttackStore(one.client, options),
                other: createRedisAttackStore(two.client, options),
                async close() {
                  one.close();
                  two.close();
                },
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisSingleUseStore", () => {
        it.each(singleUseContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            async open() {
              const [one, two] = await Promise.all([
                openClient(server.url),
                openClient(server.url),
              ]);
              const options = { prefix: `{${randomUUID()}}:`, timeoutMs: 20_000 };
              return {
                store: createRedisSingleUseStore(one.client, options),
                other: createRedisSingleUseStore(two.client, options),
                advance: async (ms) => pause(ms),
                async close() {
                  one.close();
                  two.close();
                },
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisVelocityStore", () => {
        it.each(velocityStoreContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            windowMs: ["VEL-05", "VEL-12"].includes(check.id) ? 300 : WINDOW_MS,
            async open() {
              const [one, two] = await Promise.all([
                openClient(server.url),
                openClient(server.url),
              ]);
              const options = { prefix: `{${randomUUID()}}:`, timeoutMs: 20_000 };
              return {
                store: createRedisVelocityStore(one.client, options),
                other: createRedisVelocityStore(two.client, options),
                advance: async (ms) => pause(ms),
                async close() {
                  one.close();
                  two.close();
                },
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });

      describe("createRedisInbox", () => {
        it.each(inboxContract)("$id $title", async (check) => {
          const running = check.run({
            name,
            async open({ maxAttempts }) {
              const { client, close } = await openClient(server.url);
              const inbox = createRedisInbox(client, {
                name: randomUUID(),
                maxAttempts,
                backoffMs: 10,
                timeoutMs: 20_000,
                strict: true,
              });
              const counts = inbox.counts.bind(inbox);
              return {
                inbox,
                async open() {
                  const { waiting, active, delayed } = await counts();
                  return waiting + active + delayed;
                },
                parked: async () => (await counts()).parked,
                async close() {
                  await inbox.close();
                  close();
                },
              };
            },
          });
          await expect(running).resolves.toBeUndefined();
        });
      });
    },
  );
}
