import { describe, expect, it } from "vitest";
import { chartSteps } from "../../src/app/chart-steps.js";

const MINUTE = 60_000;
const NOON = Date.parse("2026-01-31T12:00:00Z");
const names = ["events"] as const;
const one = (startMs: number, events = 1) => ({ startMs, counts: { events } });

describe("the bars of a chart", () => {
  it.each([
    [60, 5],
    [60 * 24, 15],
    [60 * 24 * 7, 120],
    [60 * 24 * 30, 720],
    [60 * 24 * 400, 10_080],
  ])("from %d minutes ago are %d minutes long", (minutes, length) => {
    const { steps, stepMs } = chartSteps([one(NOON - minutes * MINUTE)], { names, endMs: NOON });
    expect(stepMs).toBe(length * MINUTE);
    expect(steps.length).toBeLessThanOrEqual(97);
    expect(steps.reduce((sum, { counts }) => sum + counts.events, 0)).toBe(1);
  });

  it("start with the first count, and have no gaps", () => {
    const first = NOON - 80 * MINUTE;
    const { steps, stepMs } = chartSteps([one(first), one(NOON, 3)], { names, endMs: NOON });
    expect(steps[0]).toEqual(one(first));
    expect(steps.at(-1)).toEqual(one(NOON, 3));
    const starts = steps.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.map((_, index) => first + index * stepMs));
  });

  it("are at least 12, even without counts", () => {
    const { steps } = chartSteps([], { names, endMs: NOON });
    expect(steps).toHaveLength(12);
    expect(steps.every(({ counts }) => counts.events === 0)).toBe(true);
  });
});
