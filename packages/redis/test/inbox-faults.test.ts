import { describe, expect, it } from "vitest";
import { runFaults } from "./support/fault-run.js";
import { hasRedis } from "./support/redis-server.js";

describe.skipIf(!hasRedis)("the inbox in a storm (without redis-server: skipped)", () => {
  it("R30 loses nothing acknowledged when processes and Redis are killed", async () => {
    const figures = await runFaults({
      events: 4_000,
      perDelivery: 20,
      deliveriesPerSecond: 50,
      kills: ["app", "redis", "both"],
    });
    expect(figures.lost).toBe(0);
    expect(figures.acknowledged).toBeGreaterThanOrEqual(4_000);
    expect(Object.keys(figures.answers).filter((answer) => !/202|503|broken/.test(answer))).toEqual(
      [],
    );
  });
});
