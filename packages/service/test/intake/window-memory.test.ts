import { describe, expect, it } from "vitest";
import { BoundedMap, createWindowMemory } from "../../src/intake/window-memory.js";

const forever = { maxEntries: 1000, lifetimeMs: 1e9 };

describe("createWindowMemory", () => {
  it("keeps the latest value of each key, by map", () => {
    const memory = createWindowMemory({ counts: forever, names: forever }, () => 0);
    memory.apply([
      { map: "counts", key: "a", value: 1 },
      { map: "counts", key: "a", value: 2 },
      { map: "names", key: "a", value: "Ada" },
    ]);
    expect(memory.get("counts", "a")).toBe(2);
    expect(memory.get("names", "a")).toBe("Ada");
    memory.clear();
    expect(memory.get("counts", "a")).toBeUndefined();
  });

  it("ignores maps that it does not have", () => {
    const memory = createWindowMemory({}, () => 0);
    memory.apply([{ map: "later", key: "a", value: 1 }]);
    expect(memory.get("later", "a")).toBeUndefined();
  });
});

describe("BoundedMap", () => {
  it("R22 holds at most its bound, and always the latest half of it", () => {
    const map = new BoundedMap({ maxEntries: 100, lifetimeMs: 1e9 }, () => 0);
    for (let n = 0; n < 100_000; n++) {
      map.set(String(n), n);
      expect(map.size).toBeLessThanOrEqual(100);
    }
    expect([99_951, 99_999].map((n) => map.get(String(n)))).toEqual([99_951, 99_999]);
    expect(map.get("99800")).toBeUndefined();
  });

  it.each([
    ["keeps values younger than its lifetime", 1999, 1],
    ["forgets values that were not written for twice its lifetime", 4000, undefined],
  ])("%s", (_, laterMs, expected) => {
    let nowMs = 0;
    const map = new BoundedMap({ maxEntries: 10, lifetimeMs: 1000 }, () => nowMs);
    map.set("a", 1);
    nowMs = laterMs / 2;
    map.set("b", 2);
    nowMs = laterMs;
    map.set("c", 3);
    expect(map.get("a")).toBe(expected);
    expect(map.get("c")).toBe(3);
  });
});
