import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { cacheStoreContract } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedisCache } from "../src/cache.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, type RedisServer, startRedis } from "./support/redis-server.js";

describe.skipIf(!hasRedis)("createRedisCache (skipped without redis-server)", () => {
  let server: RedisServer;
  beforeAll(async () => void (server = await startRedis()));
  afterAll(async () => server.close());

  describe.each(CLIENTS)("with %s", (name, openClient) => {
    it.each(cacheStoreContract)("$id $title", async (check) => {
      const running = check.run({
        name,
        async open() {
          const { client, close } = await openClient(server.url);
          const options = { prefix: `${randomUUID()}:`, timeoutMs: 20_000 };
          return {
            store: createRedisCache(client, options),
            advance: async (ms) => pause(ms),
            close: async () => close(),
          };
        },
      });
      await expect(running).resolves.toBeUndefined();
    });
  });
});
