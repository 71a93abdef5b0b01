/** Milliseconds on a clock that never jumps: every wait is measured on it. */
export function monotonicMs(): number {
  return performance.now();
}
