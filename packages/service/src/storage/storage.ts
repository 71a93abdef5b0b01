import type { Subject } from "../model/subject.js";
import type { Incidents, Playbooks } from "./incident-store.js";
import type { LedgerStore, Events, Decisions, PendingScorings, Windows } from "./event-store.js";
import type { Outbox, Deliveries } from "./delivery-store.js";
import type { Applications } from "./application-store.js";
import type { Instant } from "../model/instant.js";

export interface OperatorRuleStore {
  /** Returns the latest rules as given; empty if none have been stored. */
  read(): Promise<readonly unknown[]>;
  replace(rules: readonly unknown[]): Promise<void>;
}

export interface Allowance {
  /** Operations allowed in each window, a whole number. */
  readonly points: number;
  readonly duration: number;
}

export interface RequestCount {
  readonly isRefused: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/**
 * Data that every process reloads soon after another process changed it. `erasures` also counts
 * deleted applications and changes of `sharesReports`.
 */
export type Revised = "settings" | "erasures" | "windows" | "feeds";

/** Versions of the stored data, for detecting changes. */
export interface Revisions extends Readonly<Record<Revised, number>> {
  /** The `seq` of the newest ledger entry. */
  readonly ledger: number;
  /** True if accepted events have account scores still to be evaluated. */
  readonly isScoringPending: boolean;
}

export interface PruneLimits {
  readonly ledgerBefore?: Instant;
  readonly eventsBefore?: Instant;
  readonly incidentsBefore?: Instant;
  readonly deliveriesBefore?: Instant;
  readonly decisionsBefore?: Instant;
}

/** A task that one process at a time runs for all processes. */
export type Task = "feeds" | "pruning";

/**
 * The data that a transaction covers, which determines what other processes may do at the same time.
 * Transactions for reports run one after the other, those for dispatch run concurrently for different
 * applications, and all others run alone.
 */
export type LockScope = "reports" | "dispatch" | "anything";

/** Size of the database and free space on its disk, in bytes. */
export interface StorageUsage {
  readonly databaseBytes: number;
  /** Absent if the database is on another machine. */
  readonly freeBytes?: number;
}

export interface Erasure {
  readonly ledgerEntries: number;
  readonly events: number;
  readonly incidents: number;
  readonly responses: number;
  readonly deliveries: number;
  /** Deliveries, queued payloads and incidents that are erased once they have ended. */
  readonly pending: number;
}

/**
 * Everything that the service stores.
 *
 * A method's changes are on disk when its promise resolves, except those of `recordAttempts`. Every
 * method rejects with `STORE_FAILED` and changes nothing if the database fails, for example because
 * its disk is full.
 */
export interface Storage {
  readonly applications: Applications;
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly ledger: LedgerStore;
  readonly events: Events;
  readonly incidents: Incidents;
  readonly decisions: Decisions;
  readonly pendingScorings: PendingScorings;
  readonly playbooks: Playbooks;
  readonly windows: Windows;
  readonly operatorRules: OperatorRuleStore;

  /**
   * Runs `work` as a transaction: if it rejects, nothing is changed.
   *
   * Inside, use only the storage that is passed in: a call to the outer storage would deadlock, because
   * it waits for the transaction to end. Keep transactions short, and await only storage calls.
   *
   * @param scope Locks to take; default `reports` under the writer lock, and `anything` outside.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>, scope?: LockScope): Promise<T>;

  /**
   * Runs several transactions for reports under the writer lock, which no other process can hold at the
   * same time. The rules of `transaction` apply; the storage that is passed in can open transactions.
   */
  withWriterLock<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

  /**
   * Runs a task that no other process on the database runs at the same time, waiting if necessary.
   *
   * @returns undefined if the signal aborted the wait.
   */
  withTaskLock<T>(task: Task, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;

  /** Counts a request against an allowance that all processes on the database share. */
  countRequest(key: string, allowance: Allowance): Promise<RequestCount>;

  publishFeeds(): Promise<void>;

  /** Returns the versions of the stored data, whichever process wrote it. */
  revisions(): Promise<Revisions>;

  /** Locks those of the applications for which no other process is sending, and releases all others. */
  lockApplications(applicationIds: readonly string[]): Promise<void>;

  /** Returns true if this process, and no other, now sends for an application. */
  holdsApplication(applicationId: string): boolean;

  /**
   * Erases an address or an account: its ledger entries, the content of the events that name it, and
   * every finished delivery and ended incident that shows it. Pending deliveries and payloads are sent
   * first, and the name is removed from open incidents immediately; `erasePending` erases both kinds
   * once they have ended.
   */
  erase(subject: Subject): Promise<Erasure>;

  /** Erases marked rows that have ended, and returns their number. Call this regularly. */
  erasePending(): Promise<number>;

  /** Deletes finished rows older than the given limits, but never pending ones. */
  prune(limits: PruneLimits): Promise<number>;

  /**
   * Adjusts stored times after the clock was set, so that nothing waits longer; negative if it was set
   * back. The storage does this automatically on opening.
   */
  followClock(setBy: Instant): Promise<void>;

  /**
   * Returns a number that changes whenever an application, a signing secret or a pending delivery
   * changes, except by an attempt. While it is the same, previously read data is still current as far
   * as this process knows.
   */
  revision(): number;

  /** Marks previously read data as outdated, because another process has changed something. */
  outdate(): void;

  usage(): Promise<StorageUsage>;

  /** Resolves if the database responds; reads hardly anything. */
  check(): Promise<void>;

  close(): Promise<void>;
}
