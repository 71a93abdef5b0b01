/**
 * Combines queries for single keys: one query runs at a time, and the next one includes every key
 * requested in the meantime.
 */
export function inBatches<T>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (key: string) => Promise<T | undefined> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, T>> };
  let isGathering = false;
  let underWay: Promise<unknown> = Promise.resolve();
  return async (key) => {
    if (!isGathering) {
      isGathering = true;
      const keys = new Set<string>();
      const found = underWay.then(() => {
        isGathering = false;
        return find([...keys]);
      });
      underWay = found.catch(() => {});
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
