import { describe, expect, it } from "vitest";
import {
  DEFAULT_THRESHOLDS,
  moveThreshold,
  readThresholds,
  setChallenging,
} from "../../src/app/thresholds.js";

const ALL = { flagAbove: 30, challengeAbove: 50, rejectAbove: 70 };
const NONE = { flagAbove: "", challengeAbove: "", rejectAbove: "" };

describe("thresholds", () => {
  it.each([
    ["flagAbove", 40, { flagAbove: 40, challengeAbove: 50, rejectAbove: 70 }],
    ["flagAbove", 80, { flagAbove: 80, challengeAbove: 80, rejectAbove: 80 }],
    ["challengeAbove", 10, { flagAbove: 10, challengeAbove: 10, rejectAbove: 70 }],
    ["rejectAbove", 40, { flagAbove: 30, challengeAbove: 40, rejectAbove: 40 }],
  ] as const)("take the others along: %s to %i", (name, value, expected) => {
    expect(moveThreshold(ALL, name, value)).toEqual(expected);
  });

  it("stay without a challenge until one is wanted", () => {
    expect(moveThreshold(DEFAULT_THRESHOLDS, "flagAbove", 90)).toEqual({
      flagAbove: 90,
      challengeAbove: undefined,
      rejectAbove: 90,
    });
    const challenging = setChallenging(DEFAULT_THRESHOLDS, true);
    expect(challenging.challengeAbove).toBe(60);
    expect(setChallenging(challenging, false)).toEqual(DEFAULT_THRESHOLDS);
  });

  it("are read from an address, and as by default where it makes no sense", () => {
    expect(readThresholds(NONE)).toEqual(DEFAULT_THRESHOLDS);
    expect(readThresholds({ ...NONE, rejectAbove: "100" }).rejectAbove).toBe(100);
    expect(readThresholds({ ...NONE, flagAbove: "1e1", challengeAbove: "60" })).toEqual({
      ...DEFAULT_THRESHOLDS,
      challengeAbove: 60,
    });
    expect(readThresholds({ ...NONE, flagAbove: "90" })).toEqual(DEFAULT_THRESHOLDS);
  });
});
