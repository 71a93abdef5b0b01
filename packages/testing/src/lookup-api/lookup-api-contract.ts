import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { assessmentChecks } from "./assessment-checks.js";
import type { LookupApiTarget } from "./lookup-api-target.js";
import { refusalChecks } from "./refusal-checks.js";

/**
 * What a lookup API must do, in whatever language it is written: judged by its answers over HTTP.
 * It asks about documentation addresses, some 130 times.
 */
export const lookupApiContract: readonly ConformanceCheck<LookupApiTarget>[] = [
  ...assessmentChecks,
  ...refusalChecks,
];
