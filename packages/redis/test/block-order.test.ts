import { describe, expect, it, onTestFinished } from "vitest";
import { appliesLatestResponse } from "../../../tools/test/block-order.js";
import { createRedisBlockStore } from "../src/block-store.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

describe.skipIf(!hasRedis).each(CLIENTS)(
  "blocks over %s (without redis-server: skipped)",
  (_, openClient) => {
    it("are those of the latest response, in whichever order they arrive", async () => {
      const redis = await startRedis();
      onTestFinished(async () => redis.close());
      const { client, close } = await openClient(redis.url);
      onTestFinished(close);
      await expect(
        appliesLatestResponse(() =>
          createRedisBlockStore(client, { everyMs: 20, timeoutMs: 20_000 }),
        ),
      ).resolves.toBeUndefined();
    });
  },
);
