import type { Evidence, Fault, Outcome } from "./decision.js";

/** Options of a policy after reading. */
export interface PolicyTerms {
  readonly flagAbove: number;
  /** Equal to `rejectAbove` if no score is challenged. */
  readonly challengeAbove: number;
  readonly rejectAbove: number;
  readonly whenUnavailable: Readonly<Record<Fault, Outcome>>;
  /** The application decides by its option `decide`, and the thresholds only if that fails. */
  readonly isOwn: boolean;
}

/** Returns the outcome for evidence that is missing; undefined if it is not missing. */
export function whenMissing(
  evidence: Evidence<unknown>,
  outcomes: Readonly<Record<Fault, Outcome>>,
): Outcome | undefined {
  if (evidence.state === "failed") return outcomes[evidence.fault];
  const isUnusable = evidence.state === "skipped" && evidence.why === "unusable";
  return isUnusable ? outcomes.unreadable : undefined;
}
