import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRuleState } from "../../src/intake/window-memory.js";

const forever = { maxEntries: 1000, lifetimeMs: 1e9 };

describe("createRuleState", () => {
  it("keeps what an attempt set when it succeeds", async () => {
    const ruleState = createRuleState(() => 0);
    const map = ruleState.map<number>("counts", forever);
    expect(await ruleState.transaction(async () => map.set("a", 1))).toBeUndefined();
    expect(map.get("a")).toBe(1);
  });

  it("forgets all that an attempt set when it fails", async () => {
    const step = fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), async (before, within) => {
        const ruleState = createRuleState(() => 0);
        const map = ruleState.map<number>("counts", forever);
        for (const [key, value] of before) map.set(key, value);
        const known = ["a", "b", "c"].map((key) => map.get(key));
        const attempt = ruleState.transaction(async () => {
          for (const [key, value] of within) map.set(key, value);
          throw new Error("disk full");
        });
        await expect(attempt).rejects.toThrow("disk full");
        expect(["a", "b", "c"].map((key) => map.get(key))).toEqual(known);
        expect(map.size).toBe(known.filter((value) => value !== undefined).length);
      }),
      { numRuns: 1000 },
    );
  });

  it("tells what an attempt has set, for another state to take in", async () => {
    const ruleState = createRuleState(() => 0);
    const [counts, names] = [
      ruleState.map<number>("counts", forever),
      ruleState.map<string>("names", { ...forever, lifetimeMs: 5 }),
    ];
    counts.set("before", 1);
    const changed = await ruleState.transaction(async (changes) => {
      counts.set("a", 1);
      counts.set("a", 2);
      names.set("b", "Ada");
      return changes();
    });
    expect(changed).toEqual([
      { map: "counts", key: "a", value: 2, lifetimeMs: 1e9 },
      { map: "names", key: "b", value: "Ada", lifetimeMs: 5 },
    ]);
    const other = createRuleState(() => 0);
    const taken = other.map<number>("counts", forever);
    for (const entry of changed) other.take(entry);
    expect(taken.get("a")).toBe(2);
    other.clear();
    expect(taken.size).toBe(0);
  });

  it("R22 holds no more than its bound, and the latest half of that for sure", () => {
    const map = createRuleState(() => 0).map<number>("counts", {
      maxEntries: 100,
      lifetimeMs: 1e9,
    });
    for (let n = 0; n < 100_000; n++) {
      map.set(String(n), n);
      expect(map.size).toBeLessThanOrEqual(100);
    }
    expect([99_951, 99_999].map((n) => map.get(String(n)))).toEqual([99_951, 99_999]);
    expect(map.get("99800")).toBeUndefined();
  });

  it.each([
    ["keeps what is younger than its lifetime", 1999, 1],
    ["forgets what was not written for twice its lifetime", 4000, undefined],
  ])("%s", (_, laterMs, expected) => {
    let nowMs = 0;
    const map = createRuleState(() => nowMs).map<number>("counts", {
      maxEntries: 10,
      lifetimeMs: 1000,
    });
    map.set("a", 1);
    nowMs = laterMs / 2;
    map.set("b", 2);
    nowMs = laterMs;
    map.set("c", 3);
    expect(map.get("a")).toBe(expected);
    expect(map.get("c")).toBe(3);
  });
});
