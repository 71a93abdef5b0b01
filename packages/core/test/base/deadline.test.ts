import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createDeadlines, startDeadline } from "../../src/base/deadline.js";

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
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
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const stop = startDeadline(60_000, () => {});
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    stop();
    expect(after).toBe(before);
  });
});

describe("createDeadlines", () => {
  it("expires each deadline at its own time, with one timer", () => {
    fakeTime();
    const expired: string[] = [];
    const deadlines = createDeadlines(100, () => performance.now());
    deadlines.start(() => expired.push("a"));
    vi.advanceTimersByTime(30);
    deadlines.start(() => expired.push("b"));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(69);
    expect(expired).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(["a"]);
    vi.advanceTimersByTime(30);
    expect(expired).toEqual(["a", "b"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not expire one that is stopped", () => {
    fakeTime();
    const expired: string[] = [];
    const deadlines = createDeadlines(100, () => performance.now());
    const stop = deadlines.start(() => expired.push("a"));
    deadlines.start(() => expired.push("b"));
    stop();
    stop();
    vi.advanceTimersByTime(1000);
    expect(expired).toEqual(["b"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("starts anew after a rest, and from within an expiry", () => {
    fakeTime();
    const expired: number[] = [];
    const deadlines = createDeadlines(100, () => performance.now());
    const again = (): void => {
      expired.push(performance.now());
      if (expired.length < 3) deadlines.start(again);
    };
    vi.advanceTimersByTime(500);
    const started = performance.now();
    deadlines.start(again);
    vi.advanceTimersByTime(1000);
    expect(expired.map((at) => at - started)).toEqual([100, 200, 300]);
  });

  it("is on time on a real clock", async () => {
    const started = performance.now();
    const deadlines = createDeadlines(50, () => performance.now());
    await new Promise<void>((resolve) => {
      deadlines.start(resolve);
      // Only the timer of the deadline could end this wait, and it does not keep the process.
      setTimeout(() => {}, 200);
    });
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
  });
});
