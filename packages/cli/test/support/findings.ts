/** What the doctor says of one check. */
export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "fault" | "skipped";
  readonly found: string;
  readonly remedy?: string;
}

/** Checks that warn of answers which take longer, in milliseconds. */
const LIMITS_MS: ReadonlyMap<string, number> = new Map([
  ["lookups are fast enough for a gate", 800],
  ["the answer comes in time", 5000],
]);

/** Check and state of each finding; the right verdict on a time is ok, since a busy machine is slow. */
export function statesOf(findings: readonly Finding[]): [check: string, state: string][] {
  return findings.map(({ check, state, found }) => {
    const limitMs = LIMITS_MS.get(check);
    const isSlow =
      limitMs !== undefined && state === "warning" && Number.parseInt(found, 10) >= limitMs;
    return [check, isSlow ? "ok" : state];
  });
}
