import type { Assessment } from "../model/assessment.js";

// A registered symbol, so that all loaded copies of the package recognise the mark.
const STALE = Symbol.for("riskgate.stale");

/** Returns true for a stale answer: it is past its time, and serves because the live call failed. */
export function isStale(assessment: object): boolean {
  return STALE in assessment;
}

/** Makes a frozen copy that {@link isStale} recognises; enumeration and JSON do not show the mark. */
export function markStale<T extends Assessment>(assessment: T): T {
  return Object.freeze(Object.defineProperty({ ...assessment }, STALE, { value: true }));
}
