import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOrder } from "../../src/lookup/in-order.js";

describe("inOrder", () => {
  it("gives every result in the order of the items, whenever each is ready", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (turns, concurrency) => {
          let running = 0;
          const work = async (turn: number, at = 0): Promise<number> => {
            expect(++running).toBeLessThanOrEqual(concurrency);
            for (; at < turn; at++) await Promise.resolve();
            running--;
            return turn;
          };
          const results: number[] = [];
          for await (const result of inOrder(turns, work, concurrency)) results.push(result);
          expect(results).toEqual(turns);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("stops at the first item that fails, without an unhandled rejection", async () => {
    const work = async (item: number): Promise<number> => {
      if (item > 1) throw new Error(`item ${item}`);
      return item;
    };
    const results: number[] = [];
    const run = async (): Promise<void> => {
      for await (const result of inOrder([1, 2, 3, 4], work, 4)) results.push(result);
    };
    await expect(run()).rejects.toThrow("item 2");
    expect(results).toEqual([1]);
  });
});
