import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { seenStoreContract } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedisSeenStore } from "../src/seen-store.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, type RedisServer, startRedis } from "./support/redis-server.js";

/** Times of the contract are stretched: only a busy machine waits that long between two steps. */
const STRETCH = 5;

describe.skipIf(!hasRedis)("createRedisSeenStore (skipped without redis-server)", () => {
  let server: RedisServer;
  beforeAll(async () => void (server = await startRedis()));
  afterAll(async () => server.close());

  describe.each(CLIENTS)("with %s", (name, openClient) => {
    it.concurrent.each(seenStoreContract)("$id $title", async (check) => {
      const running = check.run({
        name,
        isBounded: false,
        async open({ ttlMs, reservationMs }) {
          const { client, close } = await openClient(server.url);
          const store = createRedisSeenStore(client, {
            prefix: `${randomUUID()}:`,
            timeoutMs: 20_000,
            ttlMs: ttlMs * STRETCH,
            reservationMs: reservationMs * STRETCH,
          });
          return {
            store,
            advance: async (ms) => pause(ms * STRETCH),
            close: async () => close(),
          };
        },
      });
      await expect(running).resolves.toBeUndefined();
    });
  });
});
