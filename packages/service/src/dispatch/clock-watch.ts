import { type Clock, type Instant, instantOf } from "../model/instant.js";

/** Smaller changes come from clock synchronisation, not from setting the clock. */
const TOLERANCE: Instant = instantOf(1_000);

/**
 * Creates a function that detects changes of the system clock.
 *
 * @param nowMs Monotonic clock in milliseconds.
 * @returns A function that returns the change since the last call: negative if the clock was set back,
 * 0 if it was not changed.
 */
export function createClockWatch(clock: Clock, nowMs: () => number): () => Instant {
  const difference = (): Instant => clock() - instantOf(nowMs());
  let known = difference();
  return () => {
    const setBy = difference() - known;
    if (Math.abs(setBy) < TOLERANCE) return 0;
    known += setBy;
    return setBy;
  };
}
