import { LRUCache } from "lru-cache";

/** A cache that evicts the least recently used entries. */
export interface Lru<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  /** @param options Size of the entry; default 1. */
  set(key: Key, value: Value, options?: { readonly size: number }): unknown;
  delete(key: Key): unknown;
}

/**
 * Creates an empty cache. `platform.web.ts` has a smaller implementation for bundles.
 *
 * @param maxSize Maximum number of entries, or maximum total size.
 */
export function createLru<Key extends {}, Value extends {}>(maxSize: number): Lru<Key, Value> {
  // `max` is not set: it would allocate space for every entry up front.
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: () => 1 });
}
