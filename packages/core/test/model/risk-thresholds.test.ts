import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../src/model/risk-thresholds.js";

describe("outcomeOf", () => {
  it("takes only scores above a threshold", () => {
    const thresholds = { flagAbove: 30, challengeAbove: 50, rejectAbove: 70 };
    const scores = [0, 30, 31, 50, 51, 70, 71, 100];
    expect(scores.map((score) => outcomeOf(score, thresholds))).toEqual([
      "allow",
      "allow",
      "flag",
      "flag",
      "challenge",
      "challenge",
      "reject",
      "reject",
    ]);
  });

  it("flags above 40 and rejects above 80 by default, and challenges no score", () => {
    expect([40, 40.5, 60, 80, 80.5].map((score) => outcomeOf(score))).toEqual([
      "allow",
      "flag",
      "flag",
      "flag",
      "reject",
    ]);
  });
});
