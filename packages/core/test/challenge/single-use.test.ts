import { describe, expect, it } from "vitest";
import { createMemoryUses, type SingleUseStore, useUp } from "../../src/challenge/single-use.js";
import { createMemorySeenStore } from "../../src/webhook/seen-store.js";
import { START_MS } from "../support/token-attacks.js";

const STORES: readonly (readonly [string, () => SingleUseStore])[] = [
  ["its own store", () => createMemoryUses({ ttlMs: 1000 })],
  ["the seen store of a webhook", () => createMemorySeenStore()],
];

describe("useUp", () => {
  it.each(STORES)("CHL-03 is true once for each nonce, with %s", async (_, open) => {
    const store = open();
    const same = await Promise.all(Array.from({ length: 50 }, async () => useUp(store, "one")));
    expect(same.filter(Boolean)).toHaveLength(1);
    expect(await useUp(store, "two")).toBe(true);
    expect(await useUp(store, "two")).toBe(false);
  });

  it("CHL-09 is true only once the store has committed", async () => {
    const calls: string[] = [];
    const store: SingleUseStore = {
      reserve: (keys) => {
        calls.push(`reserve ${String(keys)}`);
        return ["new"];
      },
      commit: async (keys) => void calls.push(`commit ${String(keys)}`),
    };
    expect(await useUp(store, "n")).toBe(true);
    expect(calls).toEqual(["reserve challenge:n", "commit challenge:n"]);
    const failing = { ...store, commit: async () => Promise.reject(new Error("down")) };
    await expect(useUp(failing, "n")).rejects.toThrow("down");
  });

  it.each([undefined, null, true, "new", [], ["New"], [true], ["new", "new"], {}])(
    "CHL-09 takes the answer %j for a failure",
    async (answer) => {
      const store = { reserve: () => answer, commit() {} } as unknown as SingleUseStore;
      await expect(useUp(store, "n")).rejects.toBeInstanceOf(TypeError);
    },
  );
});

describe("createMemoryUses", () => {
  it("remembers a key until no token can have its nonce any more", async () => {
    let time = START_MS;
    const store = createMemoryUses({ ttlMs: 1000, now: () => time });
    expect(await useUp(store, "n")).toBe(true);
    time += 60_999;
    expect(await useUp(store, "n")).toBe(false);
    time += 1;
    expect(await useUp(store, "n")).toBe(true);
  });

  it("CHL-09 fails when it is full, and forgets nothing for it", async () => {
    let time = START_MS;
    const store = createMemoryUses({ ttlMs: 1000, maxEntries: 2, now: () => time });
    expect([await useUp(store, "a"), await useUp(store, "b")]).toEqual([true, true]);
    await expect(useUp(store, "c")).rejects.toThrow("too many challenge tokens");
    expect(await useUp(store, "a")).toBe(false);
    time += 61_000;
    expect(await useUp(store, "c")).toBe(true);
  });
});
