/** Returns the time since a reading of `performance.now()`: `1.2 s`. */
export function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}
