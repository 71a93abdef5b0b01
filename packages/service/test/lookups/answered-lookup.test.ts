import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type AnsweredLookup, createLookupPublisher } from "../../src/lookups/answered-lookup.js";

const lookup = (durationMs: number): AnsweredLookup => ({
  type: "ip",
  result: "failed",
  durationMs,
});

describe("the publisher of answered lookups", () => {
  it("passes each lookup to each observer, in order, but only after the current turn", async () => {
    const seen: string[] = [];
    const publish = createLookupPublisher([
      ({ durationMs }) => void seen.push(`first ${durationMs}`),
      ({ durationMs }) => void seen.push(`second ${durationMs}`),
    ]);
    publish(lookup(1));
    publish(lookup(2));
    expect(seen).toEqual([]);
    await nextTurn();
    expect(seen).toEqual(["first 1", "first 2", "second 1", "second 2"]);
    publish(lookup(3));
    await nextTurn();
    expect(seen.slice(4)).toEqual(["first 3", "second 3"]);
  });
});
