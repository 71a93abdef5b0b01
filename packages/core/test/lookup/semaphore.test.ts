import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlots } from "../../src/lookup/semaphore.js";

describe("createSlots", () => {
  it("lets in as many as there are places, and the others in order", () => {
    const slots = createSlots(1);
    const entered: string[] = [];
    const frees: (() => void)[] = [];
    const take = (name: string): (() => void) | undefined =>
      slots.take((free) => {
        entered.push(name);
        frees.push(free);
      });
    expect(take("a")).toBeUndefined();
    take("b");
    const leave = take("c");
    take("d");
    leave?.();
    leave?.();
    frees.shift()?.();
    frees.shift()?.();
    expect(entered).toEqual(["a", "b", "d"]);
  });

  it("keeps its word for any order of coming and going", () => {
    const step = fc.oneof(
      fc.constant(["take"] as const),
      fc.tuple(fc.constant("free" as const), fc.nat()),
      fc.tuple(fc.constant("leave" as const), fc.nat()),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 60 }),
        (max, steps) => {
          const slots = createSlots(max);
          const inside: (() => void)[] = [];
          const waiting: { id: number; leave: () => void }[] = [];
          let next = 0;
          let lastEntered = -1;
          for (const [what, index = 0] of steps) {
            if (what === "take") {
              const id = next++;
              const leave = slots.take((free) => {
                expect(id).toBeGreaterThan(lastEntered);
                lastEntered = id;
                inside.push(free);
                const at = waiting.findIndex((waiter) => waiter.id === id);
                if (at >= 0) waiting.splice(at, 1);
              });
              if (leave) waiting.push({ id, leave });
            } else if (what === "free") {
              inside.splice(index % Math.max(1, inside.length), 1)[0]?.();
            } else {
              waiting.splice(index % Math.max(1, waiting.length), 1)[0]?.leave();
            }
            expect(inside.length).toBeLessThanOrEqual(max);
            // Nobody waits while there is a place.
            if (inside.length < max) expect(waiting).toEqual([]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
