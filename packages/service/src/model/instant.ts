/** A moment: whole microseconds since 1970-01-01T00:00:00Z, as the wire's timestamps have them. */
export type Instant = number;

/** Returns the current time. */
export type Clock = () => Instant;

/** The time of this machine, to the millisecond. */
export const systemClock: Clock = () => instantOf(Date.now());

/** Turns milliseconds since 1970 into an instant. */
export function instantOf(epochMs: number): Instant {
  return Math.round(epochMs * 1000);
}

/** Turns an instant into milliseconds since 1970. */
export function epochMsOf(instant: Instant): number {
  return instant / 1000;
}
