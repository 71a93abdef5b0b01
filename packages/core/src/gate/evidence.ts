import type { Assessment } from "../lookup/assessment.js";
import type { Evidence, Failed, Skipped } from "./decision.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { RiskLookup } from "../lookup/lookup.js";
import { faultOf } from "./policy.js";
import { isStale } from "../lookup/stale.js";

export const ABSENT: Skipped = Object.freeze({ state: "skipped", why: "absent" });
export const NOT_PUBLIC: Skipped = Object.freeze({ state: "skipped", why: "not_public" });
export const UNUSABLE: Skipped = Object.freeze({ state: "skipped", why: "unusable" });
export const OVERRIDE: Skipped = Object.freeze({ state: "skipped", why: "override" });

/** Stands for an identifier that code of the application failed to give. */
export const NOT_GIVEN: Failed = Object.freeze({ state: "failed", fault: "unreadable" });

/** What a lookup came to, with the error behind evidence that is missing. */
export interface Answer<T> {
  readonly evidence: Evidence<T>;
  readonly error?: RiskGateError;
}

/** Turn one lookup, whoever wrote it, into evidence. Never rejects. */
export async function answerOf<T extends Assessment>(ask: () => Promise<T>): Promise<Answer<T>> {
  try {
    const assessment = await ask();
    // A lookup of one's own may answer anything: what is no score must not be read as 0.
    const score: unknown = (assessment as T | null | undefined)?.risk_score;
    if (typeof score !== "number" || !(score >= 0 && score <= 100)) {
      throw new RiskGateError("INVALID_RESPONSE", "the lookup gave no `risk_score` from 0 to 100");
    }
    const source = isStale(assessment) ? "stale" : "live";
    return { evidence: { state: "scored", assessment, source } };
  } catch (cause) {
    const error = isRiskGateError(cause)
      ? cause
      : new RiskGateError("LOOKUP_FAILED", "the lookup failed with an error of its own", { cause });
    if (error.code === "INVALID_ARGUMENT") return { evidence: UNUSABLE };
    return { evidence: { state: "failed", fault: faultOf(error.code) }, error };
  }
}

const shared = new WeakMap<object, WeakMap<RiskLookup, Map<string, Evidence<never>>>>();

/** What was looked up about one object by one lookup; it lives as long as the object. */
export function sharedEvidence(scope: object, lookup: RiskLookup): Map<string, Evidence<never>> {
  const byLookup = shared.get(scope) ?? new WeakMap<RiskLookup, Map<string, Evidence<never>>>();
  shared.set(scope, byLookup);
  const evidence = byLookup.get(lookup) ?? new Map<string, Evidence<never>>();
  byLookup.set(lookup, evidence);
  return evidence;
}
