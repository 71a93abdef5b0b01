/** A point in time in whole microseconds since 1970-01-01T00:00:00Z, the precision of wire timestamps. */
export type Instant = number;

export type Clock = () => Instant;

/** This machine's clock, with millisecond precision. */
export const systemClock: Clock = () => instantOf(Date.now());

export function instantOf(epochMs: number): Instant {
  return Math.round(epochMs * 1000);
}

export function epochMsOf(instant: Instant): number {
  return instant / 1000;
}
