import type { Outcome } from "./decision.js";

/** Scores above this are flagged by default. Source: specification, Resources, `risk_score`. */
export const FLAG_ABOVE = 40;

/** Scores above this are rejected by default. Source: the same. */
export const REJECT_ABOVE = 80;

/** Thresholds of a gate. Without `challengeAbove`, no score is challenged. */
export interface ScoreThresholds {
  readonly flagAbove: number;
  readonly challengeAbove?: number | undefined;
  readonly rejectAbove: number;
}

export const DEFAULT_THRESHOLDS: ScoreThresholds = {
  flagAbove: FLAG_ABOVE,
  rejectAbove: REJECT_ABOVE,
};

/** Returns the outcome for a score, which must exceed a threshold to reach its outcome. */
export function outcomeOf(
  score: number,
  { flagAbove, rejectAbove, challengeAbove = rejectAbove }: ScoreThresholds = DEFAULT_THRESHOLDS,
): Outcome {
  if (score > rejectAbove) return "reject";
  if (score > challengeAbove) return "challenge";
  return score > flagAbove ? "flag" : "allow";
}
