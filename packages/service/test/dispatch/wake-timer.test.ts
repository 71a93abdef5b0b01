import { describe, expect, it, onTestFinished } from "vitest";
import { createWakeTimer, type WakeTimer } from "../../src/dispatch/wake-timer.js";

const POLL = { timeout: 5_000, interval: 5 };

function timerOver(
  look: () => Promise<number>,
  failures: unknown[] = [],
  minGapMs?: number,
): WakeTimer {
  const timer = createWakeTimer(look, (error) => void failures.push(error), minGapMs);
  onTestFinished(() => timer.close());
  return timer;
}

describe("createWakeTimer", () => {
  it("looks once for many calls", async () => {
    let looks = 0;
    const timer = timerOver(() => Promise.resolve(++looks && 60_000));
    for (let call = 0; call < 1_000; call++) timer.wake();
    await expect.poll(() => looks, POLL).toBe(1);
  });

  it("looks again after a call that comes during a look", async () => {
    let looks = 0;
    let end = (): void => {};
    const timer = timerOver(
      () =>
        new Promise((resolve) => {
          looks++;
          end = () => resolve(60_000);
        }),
    );
    timer.wake();
    await expect.poll(() => looks, POLL).toBe(1);
    timer.wake();
    end();
    await expect.poll(() => looks, POLL).toBe(2);
    end();
  });

  it("looks again when the last look said so", async () => {
    let looks = 0;
    timerOver(() => Promise.resolve(++looks < 3 ? 20 : 60_000)).wake();
    await expect.poll(() => looks, POLL).toBe(3);
  });

  it("does not look while it is held", async () => {
    let looks = 0;
    const timer = timerOver(() => Promise.resolve(++looks && 60_000));
    timer.hold(150);
    const startMs = performance.now();
    timer.wake();
    await expect.poll(() => looks, POLL).toBe(1);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(148);
  });

  it("looks in a hurry without the pause after the last look, and not while it is held", async () => {
    let looks = 0;
    const timer = timerOver(() => Promise.resolve(++looks && 60_000), [], 60_000);
    timer.wake();
    await expect.poll(() => looks, POLL).toBe(1);
    timer.wake();
    timer.hurry();
    await expect.poll(() => looks, POLL).toBe(2);
    timer.hold(150);
    const startMs = performance.now();
    timer.hurry();
    await expect.poll(() => looks, POLL).toBe(3);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(148);
  });

  it("reports a look that fails", async () => {
    const failures: unknown[] = [];
    timerOver(() => Promise.reject(new Error("no space")), failures).wake();
    await expect.poll(() => failures, POLL).toMatchObject([{ code: "STORE_FAILED" }]);
  });

  it("waits for the look under way when it is closed, and looks no more", async () => {
    let looks = 0;
    let isEnded = false;
    const timer = timerOver(async () => {
      looks++;
      await new Promise((resolve) => setTimeout(resolve, 50));
      isEnded = true;
      return 0;
    });
    timer.wake();
    await expect.poll(() => looks, POLL).toBe(1);
    await timer.close();
    expect(isEnded).toBe(true);
    timer.wake();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(looks).toBe(1);
  });
});
