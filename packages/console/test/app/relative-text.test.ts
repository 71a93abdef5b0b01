import { describe, expect, it } from "vitest";
import { relativeText } from "../../src/app/relative-text.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");

describe("a relative time", () => {
  it.each([
    [0, "just now"],
    [-59, "just now"],
    [-60, "1 min ago"],
    [-3_599, "59 min ago"],
    [-3_600, "1 h ago"],
    [-172_799, "47 h ago"],
    [-172_800, "2 days ago"],
    [-40 * 86_400, "2025-12-22"],
    [120, "in 2 min"],
    [7_200, "in 2 h"],
  ])("of %d s is %s", (seconds, shown) => {
    expect(relativeText(NOW + seconds * 1_000, NOW)).toBe(shown);
  });
});
