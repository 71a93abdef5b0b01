import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventCounts } from "../../src/ledger/event-counts.js";

const settings = { halfLifeMs: 1000, retentionMs: 10_000 };

describe("EventCounts", () => {
  it("counts as a list of all events does, within 2 % of the retention", () => {
    const slot = fc.constantFrom(0, 1, 40);
    const event = fc.tuple(slot, fc.nat(20_000), fc.boolean());
    fc.assert(
      fc.property(fc.array(event), fc.nat(10_000), (events, laterMs) => {
        const counts = new EventCounts(settings);
        for (const [at, atMs, highRisk] of events) counts.add(at, atMs, highRisk);
        const nowMs = 20_000 + laterMs;
        for (const asked of new Set(events.map(([at]) => at))) {
          const own = events.filter(([at]) => at === asked);
          const history = counts.history(asked, nowMs);
          const youngerThan = (ms: number) => own.filter(([, atMs]) => nowMs - atMs < ms);
          const count = history?.security_events_count ?? 0;
          expect(count).toBeLessThanOrEqual(youngerThan(10_000).length);
          expect(count).toBeGreaterThanOrEqual(youngerThan(9_800).length);
          if (history === undefined) continue;
          const highRisk = history.high_risk_security_events_count;
          expect(highRisk).toBe(
            own.filter(([, , high]) => high).length - goneOf(own, count, nowMs),
          );
          expect(history.weight).toBeLessThanOrEqual(count + 4 * highRisk);
          expect(history.weight).toBeGreaterThan(0);
          expect(history.lastEventAtMs).toBe(Math.max(...own.map(([, atMs]) => atMs)));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps nothing of a slot that was cleared", () => {
    const counts = new EventCounts(settings);
    for (let atMs = 0; atMs < 10_000; atMs += 100) counts.add(0, atMs, true);
    counts.clear(0);
    expect(counts.history(0, 10_000)).toBeUndefined();
    counts.add(0, 9_000, false);
    expect(counts.history(0, 10_000)).toMatchObject({
      security_events_count: 1,
      high_risk_security_events_count: 0,
      lastEventAtMs: 9_000,
    });
  });

  it("takes as much room for a million events as for few", () => {
    const counts = new EventCounts(settings);
    for (let atMs = 0; atMs < 1_000_000; atMs++) counts.add(0, atMs % 10_000, false);
    expect(counts.history(0, 10_000 - 1)?.security_events_count).toBe(1_000_000);
    expect(counts.rows).toBeLessThanOrEqual(51);
  });

  it("uses the room of what it forgot again", () => {
    const counts = new EventCounts(settings);
    for (let atMs = 0; atMs < 1_000_000; atMs += 50) {
      counts.add(atMs % 7, atMs, false);
      counts.forget(atMs % 7, atMs);
    }
    expect(counts.rows).toBeLessThanOrEqual(7 * 52);
  });
});

/** Events of high risk that are forgotten, when the oldest are. */
function goneOf(
  events: readonly (readonly [slot: number, atMs: number, highRisk: boolean])[],
  kept: number,
  nowMs: number,
): number {
  const limitMs = nowMs - settings.retentionMs;
  const gone = events.filter(([, atMs]) => Math.floor(atMs / 200) * 200 <= limitMs);
  expect(events.length - gone.length).toBe(kept);
  return gone.filter(([, , highRisk]) => highRisk).length;
}
