import type { FlagOutcomes } from "./flag-outcomes.js";
import type { Evidence, Fault, Outcome } from "./decision.js";

export interface PolicyTerms {
  readonly flagAbove: number;
  /** Equal to `rejectAbove` if no score is challenged. */
  readonly challengeAbove: number;
  readonly rejectAbove: number;
  readonly whenUnavailable: Readonly<Record<Fault, Outcome>>;
  /** Outcomes of flags; absent without the option `outcomes`. */
  readonly outcomes?: FlagOutcomes | undefined;
  /** True if the option `decide` is set; the thresholds then apply only if it fails. */
  readonly isOwn: boolean;
}

/** Returns the outcome for missing evidence; undefined for other evidence. */
export function whenMissing(
  evidence: Evidence<unknown>,
  outcomes: Readonly<Record<Fault, Outcome>>,
): Outcome | undefined {
  if (evidence.state === "failed") return outcomes[evidence.fault];
  const isUnusable = evidence.state === "skipped" && evidence.why === "unusable";
  return isUnusable ? outcomes.unreadable : undefined;
}
