import type { LoggedDecision, RecordedDecision } from "../model/decision.js";
import type { StoredEvent, RecordedEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { Subject, LedgerEntry } from "../model/subject.js";

/** Which events to list; newest first. */
export interface EventFilter {
  readonly applicationId?: string;
  readonly kind?: string;
  /** Only events of these kinds. */
  readonly kinds?: readonly string[];
  /** Only events that count for this address or account. */
  readonly subject?: Subject;
  readonly since?: Instant;
  /** Only events that occurred no later. */
  readonly until?: Instant;
  /** Default 100. */
  readonly limit?: number;
  /** Only those reported before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Security events as they were reported. */
export interface Events {
  /** Stores events with a new id, and returns these ids in order. */
  insertNew(applicationId: string, events: readonly StoredEvent[]): Promise<readonly string[]>;
  /** Those with one of these ids, in the order in which they were reported. */
  withIds(applicationId: string, ids: readonly string[]): Promise<readonly RecordedEvent[]>;
  /** Those with this id: one of each application at most. */
  find(id: string): Promise<readonly RecordedEvent[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
}

/** The record of events by address and account, for all applications together. */
export interface LedgerStore {
  /** @returns The `seq` of the last one; undefined for none. */
  record(entries: readonly LedgerEntry[]): Promise<number | undefined>;
  /** Everything that occurred since then, in the order it was recorded, read in pages. */
  load(since: Instant, afterSeq?: number): AsyncIterable<LedgerEntry>;
  /** The newest entries of one subject, newest first. */
  entriesOf(subject: Subject, limit: number): Promise<readonly LedgerEntry[]>;
  /**
   * The subject, and every other one on record that is the same mailbox: entries keep the spelling that
   * was reported, so that a change of the normal form needs no migration.
   */
  spellingsOf(subject: Subject): Promise<readonly Subject[]>;
}

/** Accepted events whose accounts are still to be evaluated by their scores. */
export interface PendingScoring {
  /** Position among the pending scorings of all applications; the order in which they are due. */
  readonly seq: number;
  readonly applicationId: string;
  /** In the order in which they were reported. */
  readonly eventIds: readonly string[];
}

/** Pending scorings of accounts. */
export interface PendingScorings {
  /** @returns Its `seq`. */
  add(applicationId: string, eventIds: readonly string[]): Promise<number>;
  /** Oldest first. */
  list(): Promise<readonly PendingScoring[]>;
  /**
   * Removes one that is done. Outside of a transaction this does not wait for the disk: after a power
   * failure it is due again.
   */
  remove(seq: number): Promise<void>;
}

/** A value that detection remembers of one subject. */
interface StoredWindow {
  /** Name of the map that it belongs to. */
  readonly map: string;
  readonly key: string;
  /** A JSON value. */
  readonly value: unknown;
}

/** A window with the time at which it expires. */
interface ChangedWindow extends StoredWindow {
  readonly expiresAt: Instant;
}

/** The windows of detection. */
export interface Windows {
  /** Inserts windows, or replaces those before them. @returns The version of these. */
  save(windows: readonly ChangedWindow[]): Promise<number>;
  /** Those that are newer than a version, in the order in which they were written. */
  after(version: number): AsyncIterable<StoredWindow>;
}

/** Which decisions to list; newest first. */
interface DecisionFilter {
  readonly applicationId?: string;
  readonly beforeSeq?: number;
  readonly limit: number;
}

/** Decisions that applications logged. */
export interface Decisions {
  /** Stores records with a new id, and returns these ids. */
  insertNew(
    applicationId: string,
    decisions: readonly LoggedDecision[],
  ): Promise<ReadonlySet<string>>;
  list(filter: DecisionFilter): Promise<readonly RecordedDecision[]>;
}
