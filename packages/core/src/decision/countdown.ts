import { monotonicMs } from "../base/clock.js";

/**
 * Starts a countdown.
 *
 * @returns A function that returns the milliseconds left, at least 1 so that an immediate result is still read.
 */
export function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}
