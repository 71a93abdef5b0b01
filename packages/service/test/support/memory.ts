/** Resident memory in MiB after a forced collection; Node must run with `--expose-gc`. */
export function residentMiB(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 1_048_576;
}
