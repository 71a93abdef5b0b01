import type { IncidentGenre } from "@riskgate/core/payloads";
import { MemberReader } from "../events/member-reader.js";
import type { Instant } from "../../model/instant.js";

export const COUNTERS = ["http4xx", "http5xx", "failedLogins"] as const;
export type Counter = (typeof COUNTERS)[number];

export const COUNTER_GENRES: Readonly<Record<Counter, IncidentGenre>> = {
  http4xx: "http_4xx_peak",
  http5xx: "http_5xx_peak",
  failedLogins: "failed_auth_peak",
};

/** Counts since the previous sample, by counter. */
export interface CounterSample {
  readonly at: Instant;
  readonly counts: Readonly<Partial<Record<Counter, number>>>;
}

const MICROS_PER_MINUTE = 60_000_000;

export function minuteOf(instant: Instant): number {
  return Math.floor(instant / MICROS_PER_MINUTE);
}

/**
 * Reads a sample: `{ at?, http4xx?, http5xx?, failedLogins? }`, with at least one counter.
 * @throws {RiskGateError} INVALID_ARGUMENT; the message is the reason to return.
 */
export function readSample(value: unknown, now: Instant): CounterSample {
  const reader = new MemberReader(value, "the sample");
  const counts: Partial<Record<Counter, number>> = {};
  for (const counter of COUNTERS) {
    const count = reader.whole(counter, 0, 1_000_000_000);
    if (count !== undefined) counts[counter] = count;
  }
  const at = reader.instant(now, "at");
  reader.refuseOthers();
  if (Object.keys(counts).length === 0) reader.refuse(COUNTERS.join("` or `"), "given");
  return { at, counts };
}
