import type { ConformanceResult } from "@riskgate/testing";

export interface ConformanceReport {
  /** "webhook" or "lookup". */
  readonly contract: string;
  /** URL of the tested server, without its query. */
  readonly url: string;
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly skipped: number;
  readonly cases: readonly ConformanceResult[];
}

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
