import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createWakeTimer, type WakeTimer } from "../../src/dispatch/wake-timer.js";

const MINUTE_MS = 60_000;

/** A timer over a task that counts its runs. */
function countingTimer(
  waitMs: (runs: number) => number = () => MINUTE_MS,
  minGapMs?: number,
): { timer: WakeTimer; runs: () => number } {
  let runs = 0;
  const timer = timerOver(() => Promise.resolve(waitMs(++runs)), [], minGapMs);
  return { timer, runs: () => runs };
}

function timerOver(
  task: () => Promise<number>,
  failures: unknown[] = [],
  minGapMs?: number,
): WakeTimer {
  const timer = createWakeTimer(task, (error) => void failures.push(error), minGapMs);
  onTestFinished(() => timer.close());
  return timer;
}

function pass(ms: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("createWakeTimer", () => {
  it("runs once for many calls", async () => {
    const { timer, runs } = countingTimer();
    for (let call = 0; call < 1_000; call++) timer.wake();
    await pass(1_000);
    expect(runs()).toBe(1);
  });

  it("runs again after a call that comes during a run", async () => {
    let runs = 0;
    let end = (): void => {};
    const timer = timerOver(
      () =>
        new Promise((resolve) => {
          runs++;
          end = () => resolve(MINUTE_MS);
        }),
    );
    timer.wake();
    await pass(1);
    timer.wake();
    await pass(1_000);
    expect(runs).toBe(1);
    end();
    await pass(1_000);
    expect(runs).toBe(2);
    end();
  });

  it("runs again when the task is due", async () => {
    const { timer, runs } = countingTimer((run) => (run < 3 ? 20 : MINUTE_MS));
    timer.wake();
    await pass(19);
    expect(runs()).toBe(1);
    await pass(1_000);
    expect(runs()).toBe(3);
  });

  it("pauses between two runs", async () => {
    const { timer, runs } = countingTimer(undefined, 50);
    timer.wake();
    await pass(1);
    timer.wake();
    await pass(48);
    expect(runs()).toBe(1);
    await pass(2);
    expect(runs()).toBe(2);
  });

  it("does not run while it is held", async () => {
    const { timer, runs } = countingTimer();
    timer.hold(150);
    timer.wake();
    await pass(149);
    expect(runs()).toBe(0);
    await pass(1);
    expect(runs()).toBe(1);
  });

  it("hurries without the pause after the last run, but not while it is held", async () => {
    const { timer, runs } = countingTimer(undefined, MINUTE_MS);
    timer.wake();
    await pass(1);
    timer.wake();
    await pass(1_000);
    expect(runs()).toBe(1);
    timer.hurry();
    await pass(1);
    expect(runs()).toBe(2);
    timer.hold(150);
    timer.hurry();
    await pass(149);
    expect(runs()).toBe(2);
    await pass(1);
    expect(runs()).toBe(3);
  });

  it("reports a task that fails, and runs again on request", async () => {
    const failures: unknown[] = [];
    const timer = timerOver(() => Promise.reject(new Error("no space")), failures);
    timer.wake();
    await pass(1);
    expect(failures).toMatchObject([{ code: "STORE_FAILED" }]);
    timer.wake();
    await pass(1);
    expect(failures).toHaveLength(2);
  });

  it("waits for the run under way when it is closed, and runs no more", async () => {
    let runs = 0;
    let end = (): void => {};
    const timer = timerOver(
      () =>
        new Promise((resolve) => {
          runs++;
          end = () => resolve(0);
        }),
    );
    timer.wake();
    await pass(1);
    let isClosed = false;
    const closing = timer.close().then(() => (isClosed = true));
    await pass(1_000);
    expect(isClosed).toBe(false);
    end();
    await closing;
    timer.wake();
    timer.hurry();
    await pass(1_000);
    expect(runs).toBe(1);
  });
});
