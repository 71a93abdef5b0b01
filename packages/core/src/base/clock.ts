import { performance } from "node:perf_hooks";

/** How far {@link recentMs} may lag, on top of what the event loop is held up for. */
const RESOLUTION_MS = 10;

let lastMs = 0;
let isRecent = false;

/**
 * Milliseconds on a clock that never jumps: what every wait is measured on.
 *
 * Imported, because the global of the same name is a getter that costs a third more.
 */
export function monotonicMs(): number {
  lastMs = performance.now();
  return lastMs;
}

/**
 * The same clock as of a moment ago, which is near enough to tell how old an answer is: to read the
 * clock costs more than to find something in memory.
 */
export function recentMs(): number {
  if (isRecent) return lastMs;
  isRecent = true;
  setTimeout(outdate, RESOLUTION_MS).unref();
  return monotonicMs();
}

function outdate(): void {
  isRecent = false;
}
