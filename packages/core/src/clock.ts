/** Milliseconds on a clock that never jumps: what every wait and every lifetime is measured on. */
export function monotonicMs(): number {
  return performance.now();
}
