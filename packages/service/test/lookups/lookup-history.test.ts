import { describe, expect, it } from "vitest";
import type { AnsweredLookup, LookupResult } from "../../src/lookups/answered-lookup.js";
import { createLookupHistory, STEP_MS } from "../../src/lookups/lookup-history.js";

/** Lookups of an address, with a score if there is one. */
function lookup(result: LookupResult, score?: number): AnsweredLookup {
  const received =
    score === undefined
      ? {}
      : { received: { applicationId: "shop", identifier: "8.8.8.8", score } };
  return { type: "ip", result, durationMs: 1, ...received };
}

const NOTHING = { allow: 0, flag: 0, reject: 0, refused: 0, limited: 0, failed: 0 };

describe("the history of lookups", () => {
  it("counts by the outcome of the score, in steps of five minutes", () => {
    const clock = { now: 10 * STEP_MS };
    const history = createLookupHistory(() => clock.now);
    for (const score of [0, 40, 40.5, 80, 80.5, 100]) history.count(lookup("ok", score));
    clock.now += STEP_MS;
    history.count(lookup("bad_request"));
    history.count(lookup("unauthorized"));
    history.count(lookup("rate_limited"));
    history.count(lookup("failed"));
    history.count(lookup("sandbox_fault"));
    expect(history.steps()).toEqual([
      { startMs: 10 * STEP_MS, ...NOTHING, allow: 2, flag: 2, reject: 2 },
      { startMs: 11 * STEP_MS, ...NOTHING, refused: 2, limited: 1, failed: 2 },
    ]);
  });

  it("forgets what is older than a day, and what a clock that was set back has not seen", () => {
    const clock = { now: 1_000 * STEP_MS };
    const history = createLookupHistory(() => clock.now);
    history.count(lookup("ok", 0));
    clock.now += 287 * STEP_MS;
    history.count(lookup("ok", 0));
    expect(history.steps()).toHaveLength(2);
    clock.now += STEP_MS;
    expect(history.steps()).toHaveLength(1);
    history.count(lookup("ok", 0));
    expect(history.steps().map(({ allow }) => allow)).toEqual([1, 1]);
    clock.now -= 500 * STEP_MS;
    expect(history.steps()).toEqual([]);
  });
});
