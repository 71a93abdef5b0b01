import { type Clock, type Instant, instantOf } from "../model/instant.js";

/** Less than this is a clock that is kept right, not one that was set. */
const TOLERANCE: Instant = instantOf(1_000);

/**
 * Watches for a clock that is set.
 *
 * @param nowMs Monotonic clock in milliseconds.
 * @returns Change of the clock since the last call: negative if it was set back, 0 without a change.
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
