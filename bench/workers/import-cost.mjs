/**
 * Measures the time and memory of importing modules in a new process.
 *
 * @param {readonly string[]} names
 */
export default async function importCost(names) {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const start = performance.now();
  for (const name of names) await import(name);
  const ms = performance.now() - start;
  globalThis.gc?.();
  return { ms, MiB: (process.memoryUsage.rss() - before) / 2 ** 20 };
}
