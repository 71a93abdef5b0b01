import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { RiskGateError } from "../../src/base/errors.js";
import { createDropNotice, type DroppedReports } from "../../src/outgoing/drop-notice.js";

const full = new RiskGateError("REPORT_QUEUE_FULL", "full");
const late = new RiskGateError("TIMEOUT", "late");

describe("a drop notice", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  it("reports the first drop of each code at once, and the others once a minute", () => {
    const told: DroppedReports[] = [];
    const notice = createDropNotice((dropped) => told.push(dropped));
    notice.add(full, 1);
    notice.add(full, 2);
    notice.add(late, 0, 7);
    notice.add(full, 3, 1);
    expect(told).toEqual([
      { reports: 1, counts: 0, error: full },
      { reports: 0, counts: 7, error: late },
    ]);
    vi.advanceTimersByTime(60_000);
    expect(told.slice(2)).toEqual([{ reports: 5, counts: 1, error: full }]);
    notice.add(full, 1);
    vi.advanceTimersByTime(59_999);
    expect(told).toHaveLength(3);
    vi.advanceTimersByTime(120_000);
    expect(told).toHaveLength(4);
    notice.add(full, 1);
    expect(told).toHaveLength(5);
  });

  it("reports the rest when it is flushed, and leaves no timer", () => {
    const told: DroppedReports[] = [];
    const notice = createDropNotice((dropped) => told.push(dropped));
    notice.add(full, 1);
    notice.add(full, 2);
    notice.flush();
    expect(told.map(({ reports }) => reports)).toEqual([1, 2]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
