import { LRUCache } from "lru-cache";

/** Entries in the order of their use; the least recently used ones are evicted. */
export interface Lru<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  /** @param options Size of the entry; default 1. */
  set(key: Key, value: Value, options?: { readonly size: number }): unknown;
  delete(key: Key): unknown;
}

/**
 * Makes an empty cache. `platform.web.ts` has a smaller one, for bundles.
 *
 * @param maxSize Most entries, or the sum of their sizes.
 */
export function createLru<Key extends {}, Value extends {}>(maxSize: number): Lru<Key, Value> {
  // Without `max`, which would allocate space for all entries before the first one.
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: () => 1 });
}
