import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventTrail } from "../src/event-trail.js";

const settings = { halfLifeMs: 1000, retentionMs: 10_000 };

describe("EventTrail", () => {
  it("counts as a list of all events does, within 2 % of the retention", () => {
    const event = fc.tuple(fc.nat(20_000), fc.boolean());
    fc.assert(
      fc.property(fc.array(event), fc.nat(10_000), (events, laterMs) => {
        const trail = new EventTrail(settings);
        for (const [atMs, highRisk] of events) trail.add(atMs, highRisk);
        const nowMs = 20_000 + laterMs;
        const history = trail.history(nowMs);
        const youngerThan = (ms: number) => events.filter(([atMs]) => nowMs - atMs < ms);
        const count = history?.security_events_count ?? 0;
        expect(count).toBeLessThanOrEqual(youngerThan(10_000).length);
        expect(count).toBeGreaterThanOrEqual(youngerThan(9_800).length);
        if (history === undefined) return;
        const highRisk = history.high_risk_security_events_count;
        expect(highRisk).toBeLessThanOrEqual(count);
        expect(history.weight).toBeLessThanOrEqual(count + 4 * highRisk);
        expect(history.weight).toBeGreaterThan(0);
        expect(history.lastEventAtMs).toBe(Math.max(...events.map(([atMs]) => atMs)));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes as much room for a million events as for few", () => {
    const trail = new EventTrail(settings);
    for (let atMs = 0; atMs < 1_000_000; atMs++) {
      trail.add(atMs % 10_000, false);
    }
    expect(trail.history(10_000 - 1)?.security_events_count).toBe(1_000_000);
    expect(trail.periods).toBeLessThanOrEqual(51);
  });
});
