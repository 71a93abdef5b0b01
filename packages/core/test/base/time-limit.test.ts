import { describe, expect, it, onTestFinished, vi } from "vitest";
import { countdown, limitTime, startDeadline } from "../../src/base/time-limit.js";

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

describe("startDeadline", () => {
  it("expires each deadline once, at its own time", () => {
    fakeTime();
    const expired: string[] = [];
    startDeadline(100, () => expired.push("a"));
    vi.advanceTimersByTime(30);
    startDeadline(100, () => expired.push("b"));
    vi.advanceTimersByTime(69);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(["a"]);
    vi.advanceTimersByTime(1000);
    expect(expired).toEqual(["a", "b"]);
  });

  it("does not expire one that is stopped, and leaves no timer behind", () => {
    fakeTime();
    const expired: string[] = [];
    const stop = startDeadline(100, () => expired.push("a"));
    stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    stop();
    expect(expired).toEqual([]);
  });

  it("does not keep the process running", () => {
    const before = activeTimers();
    const stop = startDeadline(60_000, () => {});
    const after = activeTimers();
    stop();
    expect(after).toBe(before);
  });

  it("keeps the process running if asked to", () => {
    const before = activeTimers();
    const stop = startDeadline(60_000, () => {}, true);
    const after = activeTimers();
    stop();
    expect(after).toBe(before + 1);
  });
});

describe("limitTime", () => {
  it("settles as the promise does, and leaves no timer behind", async () => {
    fakeTime();
    expect(await limitTime(Promise.resolve(1), 100)).toBe(1);
    await expect(limitTime(Promise.reject(new Error("refused")), 100)).rejects.toThrow("refused");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("settles as `late` does once the time is over, and ignores what follows", async () => {
    fakeTime();
    let refuse: ((error: Error) => void) | undefined;
    const slow = new Promise<never>((_, reject) => (refuse = reject));
    const limited = [limitTime(slow, 100, () => "late"), limitTime(slow, 100)];
    const settled = Promise.allSettled(limited);
    vi.advanceTimersByTime(100);
    expect(await settled).toMatchObject([
      { status: "fulfilled", value: "late" },
      { status: "rejected", reason: { message: "no response within 100 ms" } },
    ]);
    refuse?.(new Error("too late"));
  });
});

describe("countdown", () => {
  it("returns the time left, and at least 1 ms", () => {
    fakeTime();
    const leftMs = countdown(50);
    vi.advanceTimersByTime(20);
    expect(leftMs()).toBe(30);
    vi.advanceTimersByTime(100);
    expect(leftMs()).toBe(1);
  });
});
