import type { DetectionSettings } from "../detection/detection-settings.js";
import { composeEvent, type EventContext, namedBy } from "../detection/events/event.js";
import { readEvent } from "../detection/events/read-event.js";
import {
  type ReadElement,
  readElements,
  type Report,
  type ReportedElement,
  reportOf,
} from "../detection/events/report.js";
import { contributionOfCount } from "../detection/incidents/contribution.js";
import { COUNTERS, type CounterSample, readSample } from "../detection/incidents/counter.js";
import type { CounterSeries } from "../detection/incidents/track-incidents.js";
import { detectLogins } from "../detection/logins/detect-logins.js";
import { contributionOfOutcome, readOutcome } from "../detection/logins/outcome.js";
import type { EventFacts, IntakeEvent } from "../model/event.js";
import { isKnownKind } from "../model/event-kind.js";
import type { Instant } from "../model/instant.js";
import type { EventProcessor, IntakeWork, Stored } from "./event-processor.js";

interface AcceptedReport {
  readonly stored: Stored;
  readonly report: Report;
}

export type AcceptReport = (work: IntakeWork) => Promise<AcceptedReport>;

export interface AcceptParts {
  readonly processor: EventProcessor;
  readonly settings: DetectionSettings;
  readonly dashboardUrl: () => string;
  readonly locate: EventContext["locate"];
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function acceptEvents(values: unknown, now: Instant, parts: AcceptParts): AcceptReport {
  const elements = readElements(values, (value) => readEvent(value, now), namedBy);
  return async (work) => {
    const composed = elements.map((one) =>
      "value" in one ? { event: compose(work, one.value, parts) } : one,
    );
    const events = firstById(composed.flatMap((one) => ("event" in one ? one.event : [])));
    const ids = await work.storage.events.insertNew(work.application.id, events);
    const fresh = new Set(ids);
    const stored = await parts.processor.store(
      work,
      events.filter(({ id }) => fresh.has(id)),
    );
    const reported = composed.map((one): ReportedElement => {
      if (!("event" in one)) return { state: "refused", reason: one.reason };
      const { id, kind } = one.event;
      if (!fresh.delete(id)) return { state: "duplicate", id };
      return { state: "accepted", id, ...(!isKnownKind(kind) && { isUnknownKind: true }) };
    });
    return { stored, report: reportOf(reported, stored.events.map(nameOf)) };
  };
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function acceptOutcomes(values: unknown, now: Instant, parts: AcceptParts): AcceptReport {
  const { processor, settings, locate } = parts;
  const { logins: thresholds, providerRules } = settings;
  const elements = readElements(values, (value) => readOutcome(value, now));
  const outcomes = valuesOf(elements);
  return async (work) => {
    const { id: applicationId } = work.application;
    const context = { thresholds, providerRules, locate };
    const { detected, windows } = detectLogins(work.windows, applicationId, outcomes, context);
    work.windows.apply(windows);
    const contributions = outcomes
      .filter((_, index) => detected[index])
      .map((one) => contributionOfOutcome(one, providerRules));
    const counted = await processor.count(work, [{ counter: "failedLogins", contributions }]);
    const events = detected.flatMap((facts = []) => facts.map((one) => compose(work, one, parts)));
    await work.storage.events.insertNew(applicationId, events);
    const stored = await processor.store(work, events, counted);
    const states = detected.values();
    const reported = elements.map((one): ReportedElement => {
      if (!("value" in one)) return { state: "refused", reason: one.reason };
      return { state: states.next().value ? "accepted" : "duplicate" };
    });
    return { stored, report: reportOf(reported, events.map(nameOf)) };
  };
}

/** @throws {RiskGateError} INVALID_ARGUMENT */
export function acceptSamples(values: unknown, now: Instant, parts: AcceptParts): AcceptReport {
  const { processor } = parts;
  const elements = Array.isArray(values)
    ? readElements(values, (value) => readSample(value, now))
    : [{ value: readSample(values, now) }];
  return async (work) => {
    const counted = await processor.count(work, seriesOf(valuesOf(elements)));
    const stored = await processor.store(work, [], counted);
    const reported = elements.map((one): ReportedElement =>
      "value" in one ? { state: "accepted" } : { state: "refused", reason: one.reason },
    );
    return { stored, report: reportOf(reported, []) };
  };
}

function compose(
  { application }: IntakeWork,
  facts: EventFacts,
  { settings: { providerRules }, dashboardUrl, locate }: AcceptParts,
): IntakeEvent {
  return composeEvent(facts, { application, dashboardUrl: dashboardUrl(), providerRules, locate });
}

function valuesOf<T>(elements: readonly ReadElement<T>[]): readonly T[] {
  return elements.flatMap((one) => ("value" in one ? [one.value] : []));
}

function seriesOf(samples: readonly CounterSample[]): readonly CounterSeries[] {
  return COUNTERS.map((counter) => ({
    counter,
    contributions: samples.flatMap(({ at, counts }) =>
      counts[counter] === undefined ? [] : [contributionOfCount(at, counts[counter])],
    ),
  })).filter(({ contributions }) => contributions.length > 0);
}

function firstById(events: readonly IntakeEvent[]): readonly IntakeEvent[] {
  const byId = new Map<string, IntakeEvent>();
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  return [...byId.values()];
}

function nameOf({ id, kind }: IntakeEvent): { id: string; kind: string } {
  return { id, kind };
}
