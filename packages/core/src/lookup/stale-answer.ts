import type { Assessment } from "../model/assessment.js";

// A registered symbol, so that every loaded copy of the package recognises stale answers.
const STALE = Symbol.for("riskgate.stale");

/** Returns true for a stale answer: an expired assessment, used because the live call failed. */
export function isStale(assessment: object): boolean {
  return STALE in assessment;
}

/** Returns a frozen copy that {@link isStale} recognises; the mark is not enumerable. */
export function markStale<T extends Assessment>(assessment: T): T {
  return Object.freeze(Object.defineProperty({ ...assessment }, STALE, { value: true }));
}
