import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextWaitMs, RETRY_SCHEDULE } from "../../src/dispatch/retry-schedule.js";

const MIDDLE = 0.5;
const NOW_MS = Date.UTC(2026, 0, 1);

function waitMs(number: number, retryAfter?: string, random = MIDDLE): number | undefined {
  return nextWaitMs({ number, retryAfter, epochMs: NOW_MS, random }, RETRY_SCHEDULE);
}

describe("nextWaitMs", () => {
  it("DSP-11 grows by one factor from 5 seconds to 6 hours, then ends", () => {
    const waits = Array.from({ length: 11 }, (_, index) => waitMs(index + 1)!);
    expect(waits[0]).toBe(5_000);
    expect(waits[10]).toBeCloseTo(6 * 3_600_000, 3);
    const factors = waits.slice(1).map((wait, index) => wait / (waits[index] ?? 0));
    for (const factor of factors) expect(factor).toBeCloseTo(factors[0] ?? 0, 6);
    expect(waitMs(12)).toBeUndefined();
    expect(waitMs(13)).toBeUndefined();
  });

  it("DSP-11 spreads each wait by a fifth to both sides", () => {
    expect(waitMs(1, undefined, 0)).toBe(4_000);
    expect(waitMs(1, undefined, 1)).toBe(6_000);
  });

  it.each([
    ["120", 120_000],
    [new Date(NOW_MS + 60_000).toUTCString(), 60_000],
    ["-5", 5_000],
    ["abc", 5_000],
    ["1000000000000", 3_600_000],
    ["9".repeat(400), 3_600_000],
    ["0", 5_000],
    ["1.5", 5_000],
    ["", 5_000],
    [new Date(NOW_MS - 60_000).toUTCString(), 5_000],
    ["Fri, 99 Foo 2026 00:00:00 GMT", 5_000],
  ])("DSP-12 takes Retry-After %j as a wait of %i ms", (retryAfter, expected) => {
    expect(waitMs(1, retryAfter)).toBe(expected);
  });

  it("DSP-12 never waits less because of Retry-After", () => {
    expect(waitMs(11, "1")).toBeCloseTo(6 * 3_600_000, 3);
  });

  it("stays within its bounds, whatever is sent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 11 }),
        fc.option(fc.string(), { nil: undefined }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (number, retryAfter, random) => {
          const wait = waitMs(number, retryAfter, random)!;
          expect(wait).toBeGreaterThanOrEqual(4_000);
          expect(wait).toBeLessThanOrEqual(1.2 * 6 * 3_600_000 + 1);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("takes a schedule of few attempts", () => {
    const schedule = { maxAttempts: 2, firstWaitMs: 10, lastWaitMs: 10 };
    const failed = { number: 1, epochMs: 0, random: MIDDLE };
    expect(nextWaitMs(failed, schedule)).toBe(10);
    expect(nextWaitMs(failed, { ...schedule, maxAttempts: 1 })).toBeUndefined();
  });
});
