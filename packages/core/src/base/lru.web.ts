import type { Lru } from "./lru.js";

/** Like the package `lru-cache`, at a twentieth of its size: a Map keeps the order. */
export function createLru<Key extends {}, Value extends {}>(maxSize: number): Lru<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  let free = maxSize;
  const lru: Lru<Key, Value> = {
    get size() {
      return entries.size;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry) lru.set(key, entry.value, entry);
      return entry?.value;
    },
    set(key, value, { size } = { size: 1 }) {
      lru.delete(key);
      entries.set(key, { value, size });
      free -= size;
      for (const oldest of entries.keys()) {
        if (free >= 0) return;
        lru.delete(oldest);
      }
    },
    delete(key) {
      free += entries.get(key)?.size ?? 0;
      entries.delete(key);
    },
  };
  return lru;
}
