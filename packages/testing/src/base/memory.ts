/** Bytes in use after a forced collection; undefined where Node runs without `--expose-gc`. */
export function settledMemory(): NodeJS.MemoryUsage | undefined {
  const { gc } = globalThis;
  if (!gc) return undefined;
  gc();
  gc();
  return process.memoryUsage();
}

/**
 * Growth of one figure in MiB; undefined where it cannot be measured.
 *
 * @param before What {@link settledMemory} gave.
 */
export function growthMiB(
  before: NodeJS.MemoryUsage | undefined,
  figure: keyof NodeJS.MemoryUsage,
): number | undefined {
  const after = settledMemory();
  return before && after && (after[figure] - before[figure]) / 1_048_576;
}
