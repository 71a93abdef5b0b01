import { describe, expect, it } from "vitest";
import { axisOf, chartSteps } from "../../src/app/chart-steps.js";

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
    const fromMs = NOON - minutes * MINUTE;
    const axis = { fromMs, endMs: NOON };
    const { steps, stepMs } = chartSteps([one(fromMs)], { names, axis });
    expect(stepMs).toBe(length * MINUTE);
    expect(steps.length).toBeLessThanOrEqual(97);
    expect(steps.reduce((sum, { counts }) => sum + counts.events, 0)).toBe(1);
  });

  it("start with the axis, and have no gaps", () => {
    const first = NOON - 80 * MINUTE;
    const axis = { fromMs: first, endMs: NOON };
    const counted = [one(first - 10 * MINUTE), one(first), one(NOON, 3), one(NOON + 5 * MINUTE)];
    const { steps, stepMs } = chartSteps(counted, { names, axis });
    expect(steps[0]).toEqual(one(first));
    expect(steps.at(-1)).toEqual(one(NOON, 3));
    const starts = steps.map(({ startMs }) => startMs);
    expect(starts).toEqual(starts.map((_, index) => first + index * stepMs));
  });
});

describe("the axis of several charts", () => {
  const DAY = 24 * 60 * MINUTE;

  it.each([
    ["the chosen period", NOON - DAY, [NOON - 2 * DAY, NOON - 60 * MINUTE], NOON - DAY],
    ["cut at the oldest data of any", NOON - 30 * DAY, [NOON - DAY, NOON], NOON - DAY],
    ["all data without a period", undefined, [NOON - 7 * DAY], NOON - 7 * DAY],
    ["an hour at least", NOON - DAY, [NOON - MINUTE], NOON - 60 * MINUTE],
    ["an hour without data", NOON - DAY, [], NOON - 60 * MINUTE],
  ])("is %s", (_text, sinceMs, oldestMs, fromMs) => {
    expect(axisOf({ sinceMs, endMs: NOON, oldestMs })).toEqual({ fromMs, endMs: NOON });
  });
});
