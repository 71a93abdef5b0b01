import { describe, expect, it } from "vitest";
import { createMemorySeenStore } from "../../src/webhook/seen-store.js";
import { thrown } from "../support/caught.js";

describe("createMemorySeenStore", () => {
  it("reserves each key once, in the order of the keys", () => {
    const store = createMemorySeenStore();
    expect(store.reserve(["a", "b"])).toEqual(["new", "new"]);
    expect(store.reserve(["b", "c", "a"])).toEqual(["busy", "new", "busy"]);
  });

  it("remembers what was committed and forgets what was released", () => {
    const store = createMemorySeenStore();
    void store.reserve(["a", "b"]);
    void store.commit(["a"]);
    void store.release(["b"]);
    expect(store.reserve(["a", "b"])).toEqual(["done", "new"]);
  });

  it("lets go of reservations before commitments, and of both in time", () => {
    let nowMs = 0;
    const store = createMemorySeenStore({ ttlMs: 1000, reservationMs: 100, now: () => nowMs });
    void store.reserve(["a", "b"]);
    void store.commit(["a"]);
    nowMs = 99;
    expect(store.reserve(["a", "b"])).toEqual(["done", "busy"]);
    nowMs = 100;
    expect(store.reserve(["a", "b"])).toEqual(["done", "new"]);
    nowMs = 1000;
    expect(store.reserve(["a"])).toEqual(["new"]);
  });

  it("R22 forgets the key longest unused past its limit", () => {
    const store = createMemorySeenStore({ maxEntries: 2 });
    void store.commit(["a", "b", "c"]);
    expect(store.reserve(["b", "c"])).toEqual(["done", "done"]);
    expect(store.reserve(["a"])).toEqual(["new"]);
  });

  it.each([
    { ttlMs: 0 },
    { reservationMs: -1 },
    { maxEntries: 1.5 },
    { ttlMs: NaN },
    { ttlMs: 2 ** 31 },
    { ttl: 1000 },
    { now: 0 as unknown as () => number },
  ])("refuses %j", (options) => {
    expect(thrown(() => createMemorySeenStore(options)).code).toBe("CONFIG_INVALID");
  });
});
