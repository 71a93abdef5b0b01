import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisSingleUseStore } from "../../src/single-use-store.js";
import { CLIENTS } from "../support/clients.js";
import { hasRedis, startRedis } from "../support/redis-server.js";

describe.skipIf(!hasRedis).each(CLIENTS.filter(([name]) => name !== "ioredis 5"))(
  "used tokens over %s (without redis-server: skipped)",
  (_, openClient) => {
    it("CHL-11 stays small in a flood of 20,000 tokens from one network", async () => {
      const redis = await startRedis();
      onTestFinished(async () => redis.close());
      const { client, close, send } = await openClient(redis.url);
      onTestFinished(close);
      const seen = createRedisSingleUseStore(client, { timeoutMs: 20_000 });
      const token = { network: "n", ttlMs: 360_000, maxUnsolved: 200, maxTotal: 5_000 };
      for (let n = 0; n < 20_000; n += 500) {
        const batch = Array.from({ length: 500 }, async (__, m) =>
          seen.use({ ...token, nonce: `nonce-${n + m}` }),
        );
        await Promise.all(batch);
      }
      expect(await send("ZCARD", "{riskgate}:challenge:n")).toBe(200);
      expect(await send("DBSIZE")).toBe(2);
      expect(await seen.use({ ...token, nonce: "a", network: "other" })).toBe("new");
    });
  },
);
