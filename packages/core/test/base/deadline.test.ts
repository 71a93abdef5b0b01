import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startDeadline } from "../../src/base/deadline.js";

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
