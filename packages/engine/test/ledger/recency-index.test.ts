import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecencyIndex } from "../../src/ledger/recency-index.js";

const KEYS = Array.from({ length: 20 }, (_, index) => `key ${index}`);

describe("RecencyIndex", () => {
  it("agrees with a list kept in order, whatever is done to it", () => {
    const key = fc.constantFrom(...KEYS);
    const step = fc.tuple(fc.constantFrom("touch", "touch", "get", "delete"), key);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const index = new RecencyIndex();
        const slots = new Map<string, number>();
        let keys: string[] = [];
        for (const [action, name] of steps) {
          const known = slots.get(name);
          if (action !== "get") keys = keys.filter((other) => other !== name);
          if (action === "get") expect(index.get(name)).toBe(known);
          else if (action === "delete") {
            expect(index.delete(name)).toBe(known);
            slots.delete(name);
          } else {
            const slot = index.touch(name);
            expect(slot).toBe(known ?? slot);
            slots.set(name, slot);
            keys.push(name);
          }
          expect(index.size).toBe(keys.length);
          expect(index.oldest).toBe(keys[0]);
          // No two keys share a slot, and slots are used again before there are more of them.
          expect(new Set(slots.values()).size).toBe(keys.length);
          expect(Math.max(-1, ...slots.values())).toBeLessThan(KEYS.length);
        }
        for (const expected of keys) {
          expect(index.oldest).toBe(expected);
          index.delete(expected);
        }
        expect(index.oldest).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it("gives the slot of a key that is gone to the next one", () => {
    const index = new RecencyIndex();
    const slots = ["a", "b", "c"].map((key) => index.touch(key));
    index.delete("b");
    expect([index.touch("d"), index.touch("e")]).toEqual([slots[1], 3]);
  });
});
