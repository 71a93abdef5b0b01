import { describe, expect, it } from "vitest";
import { contributionOfCount } from "../../../src/detection/incidents/contribution.js";
import {
  findPeaks,
  groupEvents,
  type IncidentChange,
  sweepIncident,
  topicKey,
  trackEvents,
  trackPeaks,
  trackRiskyEvents,
} from "../../../src/detection/incidents/track-incidents.js";
import type { IntakeEvent } from "../../../src/model/event.js";
import { composed, contextAt, windowsOf } from "../../support/detection-state.js";
import { MINUTE, SECOND, START } from "../../support/open-intake.js";

const context = contextAt(START);
const openOf = (changes: readonly IncidentChange[]) =>
  new Map(changes.map(({ incident }) => [topicKey(incident), incident]));

describe("trackEvents", () => {
  const track = (events: readonly IntakeEvent[], windows = windowsOf(), open = openOf([])) =>
    trackEvents({ windows, open }, groupEvents(events, context), context);
  const scans = (count: number) => Array.from({ length: count }, () => composed("scan", START));

  it("begins an incident with the event that completes the threshold", () => {
    const waiting = track(scans(19));
    expect(waiting.incidents).toEqual([]);
    const [change] = track(scans(1), windowsOf(waiting.windows)).incidents;
    expect(change).toMatchObject({ incident: { genre: "http_scan", state: { events: 20 } } });
    expect(change?.payload).toMatchObject({ type: "pulse", kind: "http_scan" });
  });

  it("returns the same changes for the same state, which it leaves as it is", () => {
    const waiting = windowsOf(track(scans(5)).windows);
    const first = track(scans(3), waiting);
    expect(track(scans(3), waiting).windows).toEqual(first.windows);
  });

  it("extends an open incident, and publishes it once per interval", () => {
    const { incidents } = track([composed("xss", START)]);
    const open = openOf(incidents);
    const [soon] = trackEvents(
      { windows: windowsOf(), open },
      groupEvents([composed("xss", START)], context),
      contextAt(START + SECOND),
    ).incidents;
    expect(soon).toMatchObject({ incident: { state: { events: 2 } }, payload: undefined });
    const [later] = trackEvents(
      { windows: windowsOf(), open },
      groupEvents([composed("xss", START)], context),
      contextAt(START + MINUTE),
    ).incidents;
    expect(later?.payload).toMatchObject({ payload: { incidents_count: 2 } });
  });
});

describe("findPeaks", () => {
  it("finds the minute that exceeds the baseline, with the counts before it", () => {
    const count = (at: number, events: number) => ({
      counter: "http5xx" as const,
      contributions: [contributionOfCount(at, events)],
    });
    let windows = windowsOf();
    for (let minute = 20; minute > 0; minute--) {
      const quiet = findPeaks(windows, [count(START - minute * MINUTE, 5)], context);
      expect(quiet.peaks).toEqual([]);
      windows = windowsOf(quiet.windows);
    }
    const first = findPeaks(windows, [count(START, 10)], context);
    expect(first.peaks).toEqual([]);
    const { peaks } = findPeaks(windowsOf(first.windows), [count(START, 30)], context);
    expect(peaks).toMatchObject([{ genre: "http_5xx_peak", subject: "", before: 10 }]);
    const begun = trackPeaks(openOf([]), peaks, context);
    expect(begun.map(({ incident }) => incident.state.events)).toEqual([40]);
    const continued = trackPeaks(openOf(begun), peaks, context);
    expect(continued.map(({ incident }) => incident.state.events)).toEqual([70]);
    expect(continued.at(0)?.incident.id).toBe(begun.at(0)?.incident.id);
  });
});

describe("trackRiskyEvents", () => {
  it("adds a second event of the same account to the incident of the first", () => {
    const risky = (isCrossing: boolean) => ({
      event: composed("auth_bruteforce_success", START),
      genre: "user_risk_increased" as const,
      subject: "ada@x.y",
      isCrossing,
    });
    expect(trackRiskyEvents(openOf([]), [risky(false)], context)).toEqual([]);
    const changes = trackRiskyEvents(openOf([]), [risky(true), risky(false)], context);
    expect(changes.map(({ incident }) => incident.state.events)).toEqual([1, 2]);
    expect(new Set(changes.map(({ incident }) => incident.id)).size).toBe(1);
  });
});

describe("sweepIncident", () => {
  it.each([
    ["leaves a published incident alone", START, START + MINUTE, undefined],
    ["ends a quiet one at its last event", START, START + 31 * MINUTE, { endedAt: START }],
    [
      "returns one with unpublished changes",
      START + SECOND,
      START + MINUTE,
      { endedAt: null, updatedAt: START + SECOND },
    ],
    [
      "continues one from before the clock was set back",
      START,
      START - MINUTE,
      { endedAt: null, updatedAt: START - MINUTE },
    ],
  ])("%s", (_, updatedAt, now, expected) => {
    const groups = groupEvents([composed("xss", START)], context);
    const begun = trackEvents({ windows: windowsOf(), open: openOf([]) }, groups, context);
    const swept = begun.incidents.map(({ incident }) =>
      sweepIncident({ ...incident, updatedAt }, contextAt(now)),
    );
    expect(swept).toEqual([expected && expect.objectContaining(expected)]);
  });
});
