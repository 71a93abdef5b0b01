import { describe, expect, it } from "vitest";
import { runFaults, type Victim } from "../support/fault-run.js";
import { hasRedis } from "../support/redis-server.js";

const HOUR_MS = 3_600_000;

/** The long form is 120,000. */
const EVENTS = Number(process.env.FAULT_EVENTS ?? 12_000);

/** One for 2,400 events; of five, two of the application, two of Redis, one of both. */
const KILLS = Array.from({ length: EVENTS / 2_400 }, (_, index): Victim => {
  return (["app", "redis", "both", "redis", "app"] as const)[index % 5] ?? "both";
});

const WITHOUT_POISON = { events: EVENTS / 2, perDelivery: 20, deliveriesPerSecond: 50, kills: [] };

describe.skipIf(!hasRedis)("the inbox in a long storm (without redis-server: skipped)", () => {
  it("R30 loses nothing that was acknowledged in many kills", { timeout: HOUR_MS }, async () => {
    const figures = await runFaults({
      events: EVENTS,
      perDelivery: 20,
      deliveriesPerSecond: 50,
      kills: KILLS,
    });
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(figures.lost).toBe(0);
    expect(figures.moreThanTwice).toBeLessThanOrEqual(figures.acknowledged / 1_000);
  });

  it("R32 handles everything but the poison", { timeout: HOUR_MS }, async () => {
    const clean = await runFaults(WITHOUT_POISON);
    const figures = await runFaults({ ...WITHOUT_POISON, failing: 10, killing: 1 });
    process.stdout.write(`${JSON.stringify({ clean, figures })}\n`);
    expect(figures.lost).toBe(0);
    expect(figures.poisonStarts).toBe(5);
  });
});
