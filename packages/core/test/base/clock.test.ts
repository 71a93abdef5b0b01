import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { monotonicMs, recentMs } from "../../src/base/clock.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // Whatever an earlier reading has set.
  vi.advanceTimersByTime(20);
});
afterEach(() => {
  vi.advanceTimersByTime(20);
  vi.useRealTimers();
});

/** Let the clock itself go on, which is not faked. */
function pass(): number {
  const start = performance.now();
  let now = start;
  while (now === start) now = performance.now();
  return now;
}

describe("recentMs", () => {
  it("reads the clock once in a while only", () => {
    const first = recentMs();
    pass();
    expect(recentMs()).toBe(first);
    const now = pass();
    vi.advanceTimersByTime(10);
    expect(recentMs()).toBeGreaterThanOrEqual(now);
  });

  it("goes on with every exact reading", () => {
    recentMs();
    pass();
    const exact = monotonicMs();
    expect(recentMs()).toBe(exact);
  });

  it("is never ahead and never goes back", () => {
    let last = 0;
    for (let turn = 0; turn < 100; turn++) {
      const now = turn % 7 === 0 ? monotonicMs() : recentMs();
      expect(now).toBeGreaterThanOrEqual(last);
      expect(now).toBeLessThanOrEqual(performance.now());
      last = now;
      if (turn % 5 === 0) vi.advanceTimersByTime(10);
    }
  });
});
