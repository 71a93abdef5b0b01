import type { Assessment } from "../model/assessment.js";

// A registered symbol, so that a mark set by one copy of the package is seen by another.
const STALE = Symbol.for("riskgate.stale");

/** Whether an assessment was served past its time because the live call failed. */
export function isStale(assessment: object): boolean {
  return STALE in assessment;
}

/** A frozen copy that {@link isStale} recognises; enumeration and JSON do not show the mark. */
export function markStale<T extends Assessment>(assessment: T): T {
  return Object.freeze(Object.defineProperty({ ...assessment }, STALE, { value: true }));
}
