import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/lookup/semaphore.js";

describe("createSemaphore", () => {
  it("assigns its places in order, and skips a waiter that has left", () => {
    const semaphore = createSemaphore(1);
    const acquired: string[] = [];
    const acquire = (name: string): (() => void) => semaphore.acquire(() => acquired.push(name));
    const leaveTooLate = acquire("a");
    expect(acquired).toEqual(["a"]);
    acquire("b");
    const leave = acquire("c");
    acquire("d");
    leave();
    leave();
    leaveTooLate();
    semaphore.release();
    semaphore.release();
    expect(acquired).toEqual(["a", "b", "d"]);
  });

  it("treats the same function as two waiters", () => {
    const semaphore = createSemaphore(1);
    let acquired = 0;
    const onAcquired = (): void => void acquired++;
    for (let n = 0; n < 3; n++) semaphore.acquire(onAcquired);
    semaphore.release();
    semaphore.release();
    expect(acquired).toBe(3);
  });

  it("holds for any order of coming and going", () => {
    const step = fc.oneof(
      fc.constant(["acquire"] as const),
      fc.constant(["release"] as const),
      fc.tuple(fc.constant("leave" as const), fc.nat()),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 60 }),
        (max, steps) => {
          const semaphore = createSemaphore(max);
          let inside = 0;
          const waiting: { id: number; leave: () => void }[] = [];
          let next = 0;
          let last = -1;
          for (const [what, index = 0] of steps) {
            if (what === "acquire") {
              const id = next++;
              let isInside = false;
              const leave = semaphore.acquire(() => {
                expect(id).toBeGreaterThan(last);
                last = id;
                isInside = true;
                inside++;
                const at = waiting.findIndex((waiter) => waiter.id === id);
                if (at >= 0) waiting.splice(at, 1);
              });
              if (!isInside) waiting.push({ id, leave });
            } else if (what === "release") {
              if (inside === 0) continue;
              inside--;
              semaphore.release();
            } else {
              waiting.splice(index % Math.max(1, waiting.length), 1)[0]?.leave();
            }
            expect(inside).toBeLessThanOrEqual(max);
            // Nobody waits while there is a place.
            if (inside < max) expect(waiting).toEqual([]);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
