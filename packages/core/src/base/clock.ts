/** Returns the time of a monotonic clock, in milliseconds; every wait is measured with it. */
export function monotonicMs(): number {
  return performance.now();
}
