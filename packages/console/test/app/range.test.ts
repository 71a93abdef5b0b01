import { describe, expect, it } from "vitest";
import { fieldText, periodOf, periodText } from "../../src/app/range.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const text = { range: "", since: "", until: "" };

describe("the period in a URL", () => {
  it.each([
    ["", undefined],
    ["24h", NOW - 86_400_000],
    ["7d", NOW - 7 * 86_400_000],
    ["toString", undefined],
  ])("starts as named: %s", (range, sinceMs) => {
    expect(periodOf({ ...text, range }, NOW)).toEqual({ sinceMs, untilMs: undefined });
  });

  it("is read in UTC, and preferred to a named one", () => {
    const since = "2026-01-30T08:30";
    const sinceMs = Date.parse("2026-01-30T08:30:00Z");
    expect(periodOf({ ...text, range: "1h", since }, NOW)).toEqual({ sinceMs, untilMs: undefined });
    expect(fieldText(sinceMs)).toBe(since);
    expect(fieldText(undefined)).toBe("");
  });

  it.each([
    ["in the last 24 h", { ...text, range: "24h" }],
    ["in the last 7 days", { ...text, range: "7d" }],
    ["in the chosen period", { ...text, range: "7d", since: "2026-01-30T08:30" }],
    ["in the chosen period", text],
  ])("reads as %s", (words, period) => {
    expect(periodText(period)).toBe(words);
  });

  it.each(["junk", "2026-13-31T12:00", "2026-01-31"])("ignores %s", (since) => {
    expect(periodOf({ ...text, since }, NOW)).toEqual({ sinceMs: undefined, untilMs: undefined });
  });
});
