import type { CacheStore } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import {
  cacheStoreContract,
  type CacheStoreHarness,
} from "../../src/store/cache-store-contract.js";

/** A store in memory, with a clock of its own. */
const harness = (name: string, change: (store: CacheStore) => CacheStore): CacheStoreHarness => ({
  name,
  async open() {
    let nowMs = 0;
    const entries = new Map<string, { text: string; endMs: number }>();
    const store: CacheStore = {
      async get(key) {
        const entry = entries.get(key);
        return entry && entry.endMs > nowMs ? entry.text : undefined;
      },
      async set(key, text, ttlMs) {
        entries.set(key, { text, endMs: nowMs + ttlMs });
      },
    };
    return {
      store: change(store),
      advance: async (ms) => void (nowMs += ms),
      close: async () => {},
    };
  },
});

describe("cacheStoreContract", () => {
  it.each(cacheStoreContract)("$id holds for a sound store: $title", async (check) => {
    await expect(check.run(harness("memory", (store) => store))).resolves.toBeUndefined();
  });

  it.each<[flaw: string, id: string, change: (store: CacheStore) => CacheStore]>([
    ["an empty text for a miss", "CST-01", (store) => ({ ...store, get: async () => "" })],
    ["nothing kept", "CST-02", (store) => ({ ...store, set: async () => {} })],
    [
      "one key for all",
      "CST-03",
      (store) => ({
        get: async () => store.get("one"),
        set: async (_, text, ttlMs) => store.set("one", text, ttlMs),
      }),
    ],
    [
      "a first text that stays",
      "CST-04",
      (store) => ({
        ...store,
        async set(key, text, ttlMs) {
          if ((await store.get(key)) === undefined) await store.set(key, text, ttlMs);
        },
      }),
    ],
    [
      "no expiry",
      "CST-05",
      (store) => ({ ...store, set: async (key, text) => store.set(key, text, Infinity) }),
    ],
    [
      "texts that are trimmed",
      "CST-06",
      (store) => ({ ...store, set: async (key, text, ms) => store.set(key, text.trim(), ms) }),
    ],
    [
      "texts that are cut",
      "CST-07",
      (store) => ({
        ...store,
        set: async (key, text, ms) => store.set(key, text.slice(0, 65_536), ms),
      }),
    ],
  ])("notices %s", async (_, id, change) => {
    const check = cacheStoreContract.find((one) => one.id === id);
    await expect(check?.run(harness("broken", change))).rejects.toBeInstanceOf(Error);
  });
});
