import type { LoggedDecision, RecordedDecision } from "../model/decision.js";
import type { StoredEvent, RecordedEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { Subject, LedgerEntry } from "../model/subject.js";

export interface EventFilter {
  readonly applicationId?: string;
  readonly kind?: string;
  /** Only events of these kinds. */
  readonly kinds?: readonly string[];
  /** Only events that count towards this address or account. */
  readonly subject?: Subject;
  readonly since?: Instant;
  /** Only events that occurred at or before this time. */
  readonly until?: Instant;
  readonly limit?: number;
  /** Only events reported before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Security events as reported. */
export interface Events {
  /** Stores the events whose ids are new, and returns these ids in order. */
  insertNew(applicationId: string, events: readonly StoredEvent[]): Promise<readonly string[]>;
  withIds(applicationId: string, ids: readonly string[]): Promise<readonly RecordedEvent[]>;
  find(id: string): Promise<readonly RecordedEvent[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
}

/** The record of events by address and account, across all applications. */
export interface LedgerStore {
  /** Adds entries. @returns The `seq` of the last entry; undefined if there are no entries. */
  record(entries: readonly LedgerEntry[]): Promise<number | undefined>;
  /** Reads the entries that occurred since a time, in recording order and page by page. */
  load(since: Instant, afterSeq?: number): AsyncIterable<LedgerEntry>;
  /** Returns the newest entries of a subject, newest first. */
  entriesOf(subject: Subject, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * Returns the subject and every other spelling of the same mailbox on record. Entries store the
   * reported spelling, so that changing the normal form needs no migration.
   */
  spellingsOf(subject: Subject): Promise<readonly Subject[]>;
}

/** Accepted events whose account scores are still to be evaluated. */
export interface PendingScoring {
  /** Position among the pending scorings of all applications, in the order in which they are due. */
  readonly seq: number;
  readonly applicationId: string;
  /** Ids of the events, in the order in which they were reported. */
  readonly eventIds: readonly string[];
}

/** Pending account scorings. */
export interface PendingScorings {
  /** Adds a pending scoring. @returns Its `seq`. */
  add(applicationId: string, eventIds: readonly string[]): Promise<number>;
  list(): Promise<readonly PendingScoring[]>;
  /**
   * Removes a scoring that is done. Outside a transaction this does not wait for the disk: after a
   * power failure the scoring is due again.
   */
  remove(seq: number): Promise<void>;
}

/** A value that detection stores about one subject. */
interface StoredWindow {
  /** Name of the map that the value belongs to. */
  readonly map: string;
  readonly key: string;
  readonly value: unknown;
}

interface ChangedWindow extends StoredWindow {
  readonly expiresAt: Instant;
}

/** The detection windows. */
export interface Windows {
  /** Inserts or replaces windows. @returns The version of the new windows. */
  save(windows: readonly ChangedWindow[]): Promise<number>;
  /** Reads the windows newer than a version, in the order in which they were written. */
  after(version: number): AsyncIterable<StoredWindow>;
}

interface DecisionFilter {
  readonly applicationId?: string;
  readonly beforeSeq?: number;
  readonly limit: number;
}

export interface Decisions {
  /** Stores the records whose ids are new, and returns these ids. */
  insertNew(
    applicationId: string,
    decisions: readonly LoggedDecision[],
  ): Promise<ReadonlySet<string>>;
  list(filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}
