import { monotonicMs } from "../base/clock.js";

/**
 * Starts to count a time down.
 *
 * @returns Milliseconds left, at least 1: an answer that is available at once is still read.
 */
export function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}
