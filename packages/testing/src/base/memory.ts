/** Returns the memory in use after a forced collection; undefined without `--expose-gc`. */
export function settledMemory(): NodeJS.MemoryUsage | undefined {
  const { gc } = globalThis;
  if (!gc) return undefined;
  gc();
  gc();
  return process.memoryUsage();
}

/**
 * Returns the growth of one figure in MiB; undefined if it cannot be measured.
 *
 * @param before Result of {@link settledMemory}.
 */
export function growthMiB(
  before: NodeJS.MemoryUsage | undefined,
  figure: keyof NodeJS.MemoryUsage,
): number | undefined {
  const after = settledMemory();
  return before && after && (after[figure] - before[figure]) / 1_048_576;
}
