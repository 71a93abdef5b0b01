import type { FoundRecord } from "../model/found-record.js";
import type { Instant } from "../model/instant.js";
import type { Subject } from "../model/subject.js";

export interface ActivityFilter {
  readonly applicationId?: string | undefined;
  readonly since: Instant;
  readonly until: Instant;
}

interface EventCount {
  /** Number of the step, from 0 at the start of the period. */
  readonly step: number;
  readonly events: number;
  readonly highRisk: number;
}

export interface SubjectCount extends Subject {
  readonly events: number;
}

/** Counts and searches across tables, for people who look at the service. Each reads a limited number of rows. */
export interface ActivityStore {
  /** Returns the time of the oldest of the newest events in a period, and their number. */
  events(
    filter: ActivityFilter,
  ): Promise<{ readonly first: Instant | null; readonly count: number }>;
  /** Counts the newest events of a period by steps of a length in microseconds. */
  eventsByStep(filter: ActivityFilter, stepMicros: number): Promise<readonly EventCount[]>;
  /** Counts the newest events of a period by address and account, the most frequent first. */
  subjects(filter: ActivityFilter): Promise<readonly SubjectCount[]>;
  subjectsByStep(
    filter: ActivityFilter,
    stepMicros: number,
    names: readonly string[],
  ): Promise<readonly (Omit<EventCount, "highRisk"> & { readonly name: string })[]>;
  /** Returns when the newest incidents of a period were open. */
  incidents(
    filter: ActivityFilter,
  ): Promise<readonly { readonly startedAt: Instant; readonly endedAt: Instant | null }[]>;
  /** Finds records whose id or name begins with a text, at most a few of each type. */
  find(text: string): Promise<readonly FoundRecord[]>;
}
