import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecencyMap } from "../src/recency-map.js";

describe("RecencyMap", () => {
  it("agrees with a list kept in order, whatever is done to it", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const step = fc.tuple(fc.constantFrom("touch", "touch", "get", "delete"), key);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (maxEntries, steps) => {
        const map = new RecencyMap<{ key: string }>(maxEntries);
        let keys: string[] = [];
        for (const [action, name] of steps) {
          const isKnown = keys.includes(name);
          if (action === "get") expect(map.get(name)?.key).toBe(isKnown ? name : undefined);
          else if (action === "delete") expect(map.delete(name)).toBe(isKnown);
          else map.touch(name, () => ({ key: name }));
          if (action !== "get") keys = keys.filter((other) => other !== name);
          if (action === "touch") keys = [...keys, name].slice(-maxEntries);
          expect(map.size).toBe(keys.length);
          expect(map.oldest?.[0]).toBe(keys[0]);
        }
        for (const expected of keys) {
          expect(map.oldest?.[0]).toBe(expected);
          map.delete(expected);
        }
        expect(map.oldest).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps the value of a key that is touched again", () => {
    const map = new RecencyMap<{ count: number }>(2);
    map.touch("a", () => ({ count: 0 })).count++;
    map.touch("a", () => ({ count: 0 })).count++;
    expect(map.get("a")).toEqual({ count: 2 });
  });
});
