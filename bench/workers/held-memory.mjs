/**
 * Memory in use after two full collections, in MiB, typed arrays included.
 *
 * @param {unknown[]} _kept What must not be collected.
 */
export function heldMiB(..._kept) {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}
