import type { LoggedDecision, RecordedDecision } from "../model/decision.js";
import type { StoredEvent, RecordedEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { LedgerEntry, LedgerScope, Subject } from "../model/subject.js";

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
  /** Stores the events whose ids are new, and returns these ids in order. */
  insertNew(applicationId: string, events: readonly StoredEvent[]): Promise<readonly string[]>;
  withIds(applicationId: string, ids: readonly string[]): Promise<readonly RecordedEvent[]>;
  find(id: string): Promise<readonly RecordedEvent[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
}

export interface LedgerStore {
  /** Adds entries. @returns The `seq` of the last entry; undefined if there are no entries. */
  record(entries: readonly LedgerEntry[]): Promise<number | undefined>;
  /** Reads the entries that occurred since a time, in recording order and page by page. */
  load(since: Instant, afterSeq?: number): AsyncIterable<LedgerEntry>;
  /** Returns the newest entries of a subject, newest first; default those of all applications. */
  entriesOf(subject: Subject, limit: number, scope?: LedgerScope): Promise<readonly LedgerEntry[]>;
  /**
   * Returns the subject and every other spelling of the same mailbox on record. Entries store the
   * reported spelling, so that changing the normal form needs no migration.
   */
  spellingsOf(subject: Subject): Promise<readonly Subject[]>;
}

export interface PendingScoring {
  /** Position among the pending scorings of all applications, in the order in which they are due. */
  readonly seq: number;
  readonly applicationId: string;
  readonly eventIds: readonly string[];
}

export interface PendingScorings {
  /** Adds a pending scoring. @returns Its `seq`. */
  add(applicationId: string, eventIds: readonly string[]): Promise<number>;
  list(): Promise<readonly PendingScoring[]>;
  /**
   * Removes a scoring that is done. Outside a transaction this does not wait for the disk: after a
   * power failure the scoring runs again.
   */
  remove(seq: number): Promise<void>;
}

interface StoredWindow {
  readonly map: string;
  readonly key: string;
  readonly value: unknown;
}

interface ChangedWindow extends StoredWindow {
  readonly expiresAt: Instant;
}

export interface Windows {
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
  insertNew(
    applicationId: string,
    decisions: readonly LoggedDecision[],
  ): Promise<ReadonlySet<string>>;
  list(filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}
