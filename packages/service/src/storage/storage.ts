import type { ActivityStore } from "./activity-store.js";
import type { StorageUsage } from "../model/storage-usage.js";
import type { Subject } from "../model/subject.js";
import type { Incidents, Playbooks } from "./incident-store.js";
import type { LedgerStore, Events, Decisions, Labels, Windows } from "./event-store.js";
import type { Log, Partitions } from "./log-store.js";
import type { Outbox, Deliveries } from "./delivery-store.js";
import type { Applications } from "./application-store.js";
import type { Clock, Instant } from "../model/instant.js";

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
 * Data that processes remember, and read again after another process changed it. `erasures` also counts
 * deleted applications and changes of `sharesReports`; `detection` counts changes to
 * the state of detection, which owners notice when they store their next batch.
 */
export type Revised = "settings" | "erasures" | "feeds" | "detection";

/** Versions of the stored data, for detecting changes. */
export type Revisions = Readonly<Record<Revised, number>>;

export interface PruneLimits {
  readonly ledgerBefore?: Instant;
  readonly eventsBefore?: Instant;
  readonly incidentsBefore?: Instant;
  readonly deliveriesBefore?: Instant;
  readonly decisionsBefore?: Instant;
}

/** A task that one process at a time runs for all processes. */
export type Task = "feeds" | "pruning";

export interface Erasure {
  readonly ledgerEntries: number;
  readonly events: number;
  readonly incidents: number;
  readonly responses: number;
  readonly deliveries: number;
  readonly labels: number;
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
  /** The clock of the database: times that processes compare must come from it. */
  readonly clock: Clock;
  readonly applications: Applications;
  readonly outbox: Outbox;
  readonly deliveries: Deliveries;
  readonly ledger: LedgerStore;
  readonly events: Events;
  readonly incidents: Incidents;
  readonly decisions: Decisions;
  readonly labels: Labels;
  readonly log: Log;
  readonly partitions: Partitions;
  readonly playbooks: Playbooks;
  readonly windows: Windows;
  readonly activity: ActivityStore;
  readonly operatorRules: OperatorRuleStore;

  /**
   * Runs `work` as a transaction: if it rejects, nothing is changed.
   *
   * Inside, use only the storage that is passed in: a call to the outer storage would deadlock, because
   * it waits for the transaction to end. Keep transactions short, and await only storage calls.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

  /**
   * Runs a task that no other process on the database runs at the same time, waiting if necessary.
   *
   * @returns undefined if the signal aborted the wait.
   */
  withTaskLock<T>(task: Task, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;

  /**
   * Runs a task under its lock, unless any process has completed it within the interval; a run that the
   * signal aborts does not count.
   */
  runWhenDue(
    task: Task,
    everyMs: number,
    work: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;

  /** Counts a request against an allowance that all processes on the database share. */
  countRequest(key: string, allowance: Allowance): Promise<RequestCount>;

  publishFeeds(): Promise<void>;

  /** Returns the versions of the stored data, whichever process wrote it. */
  revisions(): Promise<Revisions>;

  /**
   * Makes the owners of all applications read again what detection remembers, because it was changed.
   * Within a transaction, this waits until they have stored their current results.
   */
  outdateDetection(): Promise<void>;

  /**
   * Erases an address or an account: its ledger entries, the content of the events that name it, and
   * every finished delivery and ended incident that shows it. Pending deliveries and payloads are sent
   * first, and the name is removed from open incidents immediately; `erasePending` erases both kinds
   * once they have ended.
   */
  erase(subject: Subject): Promise<Erasure>;

  /** Erases marked rows that have ended, and returns their number. Call this regularly. */
  erasePending(): Promise<number>;

  /**
   * Deletes finished rows older than the given limits, but never pending ones, and begins the day in the
   * log. The signal stops it after the current step.
   */
  prune(limits: PruneLimits, signal?: AbortSignal): Promise<number>;

  /**
   * Adjusts stored times after the clock was set, so that nothing waits longer; negative if it was set
   * back. The storage does this automatically on opening.
   */
  followClock(setBy: Instant): Promise<void>;

  /** Returns the latest time on record: if it is in the future, the clock was set back. */
  lastInstant(): Promise<Instant>;

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
