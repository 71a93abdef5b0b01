import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { stuffCredentials } from "../../../../tools/test/login-processes.js";
import { hasRedis, startRedis } from "../support/redis-server.js";

describe.skipIf(!hasRedis)("attack mode in Redis (without Redis: skipped)", () => {
  it("starts in three processes at once, and asks no known device", async () => {
    const server = await startRedis();
    onTestFinished(async () => server.close());
    const program = fileURLToPath(new URL("../support/attack-app.mjs", import.meta.url));
    const { reached, taken } = await stuffCredentials(program, { url: server.url });
    expect(reached).toBeLessThanOrEqual(75);
    expect(taken).toBeLessThanOrEqual(1);
  });
});
