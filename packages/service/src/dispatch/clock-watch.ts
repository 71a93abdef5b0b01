import { type Clock, type Instant, instantOf } from "../model/instant.js";

/** Less than this is a clock that is kept right, not one that was set. */
const TOLERANCE: Instant = instantOf(1_000);

/**
 * Watches for a clock that is set.
 *
 * @param nowMs Monotonic clock in milliseconds.
 * @returns By how much it was set since the last call: negative for set back, 0 for not at all.
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
