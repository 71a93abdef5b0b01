import { performance } from "node:perf_hooks";
import { onTestFinished, vi } from "vitest";

/**
 * Stop the monotonic clock and the timers for one test.
 *
 * @returns Moves both on, and lets everything run that this sets off.
 */
export function fakeClock(): (ms: number) => Promise<void> {
  let nowMs = performance.now();
  const spy = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    spy.mockRestore();
    vi.useRealTimers();
  });
  return async (ms) => {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
}

/** Count unhandled rejections until the test ends. */
export function unhandledRejections(): () => Promise<number> {
  let count = 0;
  const listener = (): void => void count++;
  process.on("unhandledRejection", listener);
  onTestFinished(() => void process.off("unhandledRejection", listener));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return count;
  };
}
