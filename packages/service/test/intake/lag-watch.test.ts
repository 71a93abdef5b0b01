import { describe, expect, it } from "vitest";
import { createLagWatch } from "../../src/intake/lag-watch.js";
import type { DetectionLag } from "../../src/storage/log-store.js";

/** A watch with a limit of 10 seconds, over a lag that the test sets. */
function openWatch() {
  const clock = { nowMs: 1_000_000 };
  let lags: readonly DetectionLag[] = [];
  const watch = createLagWatch({
    log: { lag: async () => lags },
    maxLagMs: 10_000,
    nowMs: () => clock.nowMs,
    onError: (error) => expect.unreachable(String(error)),
  });
  /** Lets time pass, and looks again. The clock of the process that receives reports is far off. */
  const after = async (seconds: number, oldestSeq?: number, lastSeq = 0) => {
    clock.nowMs += seconds * 1_000;
    const lag = { applicationId: "shop", oldestAt: -1e15, oldestSeq: oldestSeq ?? 0, lastSeq };
    lags = oldestSeq === undefined ? [] : [lag];
    await watch.check();
  };
  const refuse = (applicationId: string) => () => watch.refuse(applicationId);
  return { watch, after, refuse };
}

const behind = expect.objectContaining({ code: "STORE_FAILED" });

describe("createLagWatch", () => {
  it("refuses an application from the limit until half of it is left", async () => {
    const { watch, after, refuse } = openWatch();
    await after(0, 1, 50);
    await after(4, 1, 90);
    await after(6, 1, 95);
    expect(refuse("shop")).not.toThrow();
    await after(1, 1, 99);
    expect(refuse("shop")).toThrow(behind);
    expect(refuse("forum")).not.toThrow();
    expect(watch.longestMs()).toBe(11_000);
    // What is now the oldest was first seen 7 seconds ago.
    await after(0, 51, 99);
    expect(refuse("shop")).toThrow(behind);
    expect(watch.longestMs()).toBe(7_000);
    await after(0, 96, 99);
    expect(refuse("shop")).not.toThrow();
    expect(watch.longestMs()).toBe(0);
  });

  it("does not refuse an application whose reports never wait long, however many there are", async () => {
    const { after, refuse } = openWatch();
    for (let seq = 1; seq < 1_000; seq++) {
      await after(1, seq, seq + 2);
      expect(refuse("shop")).not.toThrow();
    }
  });

  it("measures the whole time while detection stands still", async () => {
    const { watch, after } = openWatch();
    for (let second = 0; second <= 1_000; second++)
      await after(second === 0 ? 0 : 1, 1, second + 1);
    expect(watch.longestMs()).toBe(1_000_000);
    await after(1);
    expect(watch.longestMs()).toBe(0);
  });
});
