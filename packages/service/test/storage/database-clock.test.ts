import { describe, expect, it, onTestFinished } from "vitest";
import { createDatabaseClock } from "../../src/storage/database-clock.js";

const DATABASE_MS = 1_800_000_000_000;

/** A machine whose clock differs from that of the database, which is asked at monotonic times. */
function machine(differenceMs: number) {
  const passed = { ms: 5_000, setByMs: 0 };
  const clock = createDatabaseClock({
    epochMs: () => DATABASE_MS + passed.ms + differenceMs + passed.setByMs,
    nowMs: () => passed.ms,
  });
  const nowMs = (): number => clock.now() / 1000 - DATABASE_MS;
  return { clock, passed, nowMs };
}

describe("the clock of the database", () => {
  it("warns once of a machine that differs by more than two seconds", async () => {
    const codes: unknown[] = [];
    const listen = (warning: Error & { code?: unknown }) => void codes.push(warning.code);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const observe = async (differenceMs: number) => {
      machine(differenceMs).clock.observe(DATABASE_MS + 5_000, 5_000);
      await new Promise(setImmediate);
    };
    for (const differenceMs of [-2_000, 0, 2_000]) await observe(differenceMs);
    expect(codes).toEqual([]);
    for (const differenceMs of [-2_001, 120_000]) await observe(differenceMs);
    expect(codes).toEqual(["RISKGATE_CLOCK_DIFFERS"]);
  });

  it.each([-120_000, 120_000])(
    "does not follow a machine that differs by %i ms",
    (differenceMs) => {
      const { clock, passed, nowMs } = machine(differenceMs);
      clock.observe(DATABASE_MS + 5_000, 5_000);
      expect(nowMs()).toBe(5_000);
      expect(clock.aheadMs()).toBe(differenceMs);
      passed.setByMs = 3_600_000;
      passed.ms += 1_000;
      expect(nowMs()).toBe(6_000);
    },
  );

  it("is corrected by a slow result only as far as the result proves", () => {
    const { clock, passed, nowMs } = machine(0);
    passed.ms = 65_000;
    // The process was stopped for a minute while it waited.
    clock.observe(DATABASE_MS + 5_000, 5_000);
    expect(nowMs()).toBe(65_000);
    clock.observe(DATABASE_MS + 66_000, 65_000);
    expect(nowMs()).toBe(66_000);
    clock.observe(DATABASE_MS - 1_000, 64_000);
    expect(nowMs()).toBe(0);
  });
});
