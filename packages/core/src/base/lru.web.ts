import type { Lru } from "./lru.js";

/** As with the package `lru-cache`, at a twentieth of its size: a Map keeps the order. */
export function createLru<Key extends {}, Value extends {}>(
  room: number,
  sizeOf: (value: Value) => number = () => 1,
): Lru<Key, Value> {
  const entries = new Map<Key, Value>();
  const lru: Lru<Key, Value> = {
    get size() {
      return entries.size;
    },
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) lru.set(key, value);
      return value;
    },
    set(key, value) {
      lru.delete(key);
      entries.set(key, value);
      room -= sizeOf(value);
      for (const oldest of entries.keys()) {
        if (room >= 0) return;
        lru.delete(oldest);
      }
    },
    delete(key) {
      const value = entries.get(key);
      if (value !== undefined) room += sizeOf(value);
      entries.delete(key);
    },
  };
  return lru;
}
