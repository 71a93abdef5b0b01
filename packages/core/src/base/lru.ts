import { LRUCache } from "lru-cache";

/** Entries in the order of their use, of which those not used for longest give way to others. */
export interface Lru<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
  delete(key: Key): unknown;
}

/**
 * Keep entries as long as there is room. `lru.web.ts` is smaller, for bundles.
 *
 * @param room For how much, of which each entry takes what `sizeOf` says; default 1.
 */
export function createLru<Key extends {}, Value extends {}>(
  room: number,
  sizeOf: (value: Value) => number = () => 1,
): Lru<Key, Value> {
  // Not by `max`, for which all places would be allocated before the first entry.
  return new LRUCache<Key, Value>({ maxSize: room, sizeCalculation: sizeOf });
}
