import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { assessmentChecks } from "./assessment-checks.js";
import type { LookupApiTarget } from "./lookup-api-target.js";
import { refusalChecks } from "./refusal-checks.js";

/**
 * Rules for a lookup API in any language, tested over HTTP. They send about 130 requests for
 * documentation addresses.
 */
export const lookupApiContract: readonly ConformanceCheck<LookupApiTarget>[] = [
  ...assessmentChecks,
  ...refusalChecks,
];
