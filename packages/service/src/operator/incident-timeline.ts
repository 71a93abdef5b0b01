import { GENRE_RULES } from "../detection/incidents/genre-rule.js";
import type { RecordedEvent } from "../model/event.js";
import type { RecordedIncident } from "../model/incident.js";
import { epochMsOf, type Instant } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";

/** Numbers of an incident's events over time. */
export interface IncidentTimeline {
  readonly stepMs: number;
  /** Start of the first step. */
  readonly since: Instant;
  /** Number of events in each step; empty for an incident that was detected from counters. */
  readonly counts: readonly number[];
}

/** Lengths of a step that people can read. */
const STEPS_MS = [1, 5, 15, 60, 300, 900, 3_600, 10_800, 43_200, 86_400, 604_800].map(
  (seconds) => seconds * 1_000,
);

const MAX_STEPS = 60;

const MICROS_PER_MS = 1_000;

/** @param events The stored events of the incident, of which the oldest may be missing. */
export async function incidentTimeline(
  { events: stored }: Pick<Storage, "events">,
  { applicationId, genre, subject, startedAt, endedAt }: RecordedIncident,
  events: readonly RecordedEvent[],
  now: Instant,
): Promise<IncidentTimeline> {
  const until = endedAt ?? Math.max(now, startedAt);
  const lengthMs = epochMsOf(until - startedAt);
  const stepMs = STEPS_MS.find((one) => lengthMs / one < MAX_STEPS) ?? STEPS_MS.at(-1)!;
  const stepMicros = stepMs * MICROS_PER_MS;
  const since = Math.floor(startedAt / stepMicros) * stepMicros;
  const stepOf = (at: Instant): number => Math.floor((at - since) / stepMicros);
  const rule = GENRE_RULES.find((one) => one.genre === genre);
  const counts = Array.from({ length: Math.min(stepOf(until) + 1, 4 * MAX_STEPS) }, () => 0);
  if (subject === "" && rule) {
    const filter = { applicationId, kinds: rule.kinds, since: startedAt, until };
    for (const { step, count } of await stored.countBySteps(filter, since, stepMicros)) {
      if (step < counts.length) counts[step]! += count;
    }
  } else {
    for (const { occurredAt } of events) {
      const step = stepOf(occurredAt);
      if (step >= 0 && step < counts.length) counts[step]!++;
    }
  }
  const isEmpty = counts.every((count) => count === 0);
  return { stepMs, since, counts: isEmpty ? [] : counts };
}
