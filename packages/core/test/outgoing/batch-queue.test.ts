import { describe, expect, it } from "vitest";
import { BatchQueue } from "../../src/outgoing/batch-queue.js";

const LIMITS = { batchSize: 2, maxQueued: 10, maxQueuedBytes: 1_000_000 };

describe("BatchQueue", () => {
  it("serves its kinds in turn, and passes over an empty one", () => {
    const queue = new BatchQueue(LIMITS, ["a", "b", "c"]);
    for (const text of ["1", "2", "3", "4", "5"]) queue.add("a", text);
    queue.add("c", "6");
    const served: [string, readonly string[]][] = [];
    for (let batch = queue.next(); batch; batch = queue.next()) {
      served.push([batch.kind, batch.texts]);
      queue.remove();
    }
    expect(served).toEqual([
      ["a", ["1", "2"]],
      ["c", ["6"]],
      ["a", ["3", "4"]],
      ["a", ["5"]],
    ]);
  });

  it("returns the same batch until it is removed, and counts it until then", () => {
    const queue = new BatchQueue(LIMITS, ["a"]);
    queue.add("a", "\u00e9");
    const batch = queue.next();
    queue.add("a", "later");
    expect(queue.next()).toBe(batch);
    expect([queue.size, queue.bytes]).toEqual([2, 7]);
    queue.remove();
    queue.remove();
    expect([queue.size, queue.bytes]).toEqual([1, 5]);
  });

  it("keeps a batch within 256 KiB, except for one larger text", () => {
    const queue = new BatchQueue({ ...LIMITS, batchSize: 10 }, ["a"]);
    for (const length of [300_000, 200_000, 60_000, 10_000]) queue.add("a", "x".repeat(length));
    const sizes: number[] = [];
    for (let batch = queue.next(); batch; batch = queue.next()) {
      sizes.push(batch.bytes);
      queue.remove();
    }
    expect(sizes).toEqual([300_000, 260_000, 10_000]);
  });

  it("refuses a text above its limits", () => {
    const queue = new BatchQueue({ batchSize: 2, maxQueued: 2, maxQueuedBytes: 10 }, ["a"]);
    expect(queue.add("a", "x".repeat(11))).toBe(false);
    expect([queue.add("a", "1"), queue.add("a", "2"), queue.add("a", "3")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(queue.isDue).toBe(true);
  });
});
