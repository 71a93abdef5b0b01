import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { shareBlocks } from "../../../../tools/test/block-processes.js";
import { startRedis, hasRedis } from "../support/redis-server.js";

describe.skipIf(!hasRedis)("blocks in Redis (without Redis: skipped)", () => {
  it("reach three processes, survive kill -9 and an outage, and can be removed", async () => {
    const server = await startRedis({ appendfsync: "always" });
    onTestFinished(async () => server.close());
    const took = await shareBlocks({
      program: fileURLToPath(new URL("../support/block-app.mjs", import.meta.url)),
      settings: { url: server.url },
      change: async ([first], action, subject) => first?.change(action, subject),
      leave: async () => server.kill(),
      return: async () => server.start(),
    });
    expect(Object.keys(took)).toHaveLength(5);
  });
});
