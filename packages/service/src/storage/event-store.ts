import type { LoggedDecision, RecordedDecision } from "../model/decision.js";
import type { RecordedEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { LabelledType, RecordedLabel, StoredLabel } from "../model/stored-label.js";
import type { LedgerEntry, LedgerRecord, LedgerScope, Subject } from "../model/subject.js";

export interface EventFilter {
  readonly applicationId?: string;
  readonly kind?: string;
  readonly kinds?: readonly string[];
  readonly subject?: Subject;
  readonly since?: Instant;
  readonly until?: Instant;
  readonly limit?: number;
  /** Only events reported before this one, for the next page. */
  readonly beforeSeq?: number;
}

export interface Events {
  find(id: string): Promise<readonly RecordedEvent[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
  /** Counts events by the number of steps that passed since a time. */
  countBySteps(
    filter: Pick<EventFilter, "applicationId" | "kinds" | "since" | "until">,
    origin: Instant,
    stepMicros: number,
  ): Promise<readonly StepCount[]>;
}

interface StepCount {
  readonly step: number;
  readonly count: number;
}

export interface LedgerStore {
  record(applicationId: string, entries: readonly LedgerRecord[]): Promise<void>;
  /** Returns the newest entries of a subject, newest first; default those of all applications. */
  entriesOf(subject: Subject, limit: number, scope?: LedgerScope): Promise<readonly LedgerEntry[]>;
  /** Returns, for each request, the newest entries that count for a reader, oldest first. */
  historiesOf(requests: readonly HistoryRequest[]): Promise<readonly (readonly LedgerRecord[])[]>;
  /**
   * Returns the subject and every other spelling of the same mailbox on record. Entries store the
   * reported spelling, so that changing the normal form needs no migration.
   */
  spellingsOf(subject: Subject): Promise<readonly Subject[]>;
}

/** A JSON value that detection remembers, by map and key. */
interface StoredWindow {
  readonly map: string;
  readonly key: string;
  readonly value: unknown;
}

interface ChangedWindow extends StoredWindow {
  readonly expiresAt: Instant;
}

export interface HistoryRequest {
  readonly type: Subject["type"];
  /** Key of the subject; see `keyOf`. */
  readonly key: string;
  /** The application for which the entries count; empty for all. */
  readonly reader: string;
}

/** What detection remembers of each application. */
export interface Windows {
  save(applicationId: string, windows: readonly ChangedWindow[]): Promise<void>;
  /** Reads the windows of an application, page by page. */
  load(applicationId: string): AsyncIterable<StoredWindow>;
  find(applicationId: string, map: string, key: string): Promise<unknown>;
}

interface DecisionFilter {
  readonly applicationId?: string;
  readonly beforeSeq?: number;
  readonly limit: number;
  /** 32 hex digits; only decisions about this identifier. */
  readonly digest?: string;
  readonly id?: string;
}

interface LabelFilter {
  readonly applicationId?: string;
  readonly about: LabelledType;
  readonly target?: string;
  readonly limit: number;
}

/** The latest label of each decision and account. */
export interface Labels {
  /** Stores labels of different targets; returns `about target` of those that changed something. */
  put(applicationId: string, labels: readonly StoredLabel[]): Promise<ReadonlySet<string>>;
  list(filter: LabelFilter): Promise<readonly RecordedLabel[]>;
}

export interface Decisions {
  insertNew(
    applicationId: string,
    decisions: readonly LoggedDecision[],
  ): Promise<ReadonlySet<string>>;
  list(filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}
