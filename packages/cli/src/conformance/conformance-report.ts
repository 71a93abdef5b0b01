import type { ConformanceResult } from "@riskgate/testing";

/** What a run of a contract found. */
export interface ConformanceReport {
  /** "webhook" or "lookup". */
  readonly contract: string;
  /** Address of what was judged, without its query. */
  readonly url: string;
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly skipped: number;
  readonly cases: readonly ConformanceResult[];
}

/** Count the results of a run. */
export function conformanceReport(
  contract: string,
  { origin, pathname }: URL,
  cases: readonly ConformanceResult[],
): ConformanceReport {
  const count = (state: ConformanceResult["state"]): number =>
    cases.filter((result) => result.state === state).length;
  return {
    contract,
    url: origin + pathname,
    passed: count("passed"),
    failed: count("failed"),
    warned: count("warned"),
    skipped: count("skipped"),
    cases,
  };
}
