import { describe, expect, it } from "vitest";
import { runFaults, type Victim } from "../support/fault-run.js";
import { hasRedis } from "../support/redis-server.js";

const HOUR_MS = 3_600_000;

const times = (count: number, victim: Victim): Victim[] =>
  Array.from({ length: count }, () => victim);

/** Mixed, the same in every run. */
const KILLS = [...times(20, "app"), ...times(20, "redis"), ...times(10, "both")]
  .map((victim, index) => ({ victim, place: (index * 37) % 50 }))
  .toSorted((one, other) => one.place - other.place)
  .map(({ victim }) => victim);

const WITHOUT_POISON = { events: 20_000, perDelivery: 20, deliveriesPerSecond: 50, kills: [] };

describe.skipIf(!hasRedis)("the inbox in a long storm (without redis-server: skipped)", () => {
  it("R30 loses nothing of 120,000 events in 50 kills", { timeout: HOUR_MS }, async () => {
    const figures = await runFaults({
      events: 120_000,
      perDelivery: 20,
      deliveriesPerSecond: 50,
      kills: KILLS,
    });
    console.log(figures);
    expect(figures.lost).toBe(0);
    expect(figures.moreThanTwice).toBeLessThanOrEqual(figures.acknowledged / 1_000);
  });

  it("R32 handles everything but the poison", { timeout: HOUR_MS }, async () => {
    const clean = await runFaults(WITHOUT_POISON);
    const figures = await runFaults({ ...WITHOUT_POISON, failing: 10, killing: 1 });
    console.log({ clean, figures });
    expect(figures.lost).toBe(0);
    expect(figures.poisonStarts).toBe(5);
  });
});
