import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { Subject } from "../model/subject.js";
import type { Incidents, Playbooks } from "./incident-store.js";
import type { LedgerStore, Events, Decisions, PendingScorings, Windows } from "./event-store.js";
import type { Outbox, Deliveries } from "./delivery-store.js";
import type { Applications } from "./application-store.js";
import type { Instant } from "../model/instant.js";

/** The rules of the operator, one set for the whole service. */
export interface OperatorRuleStore {
  /** Returns the latest rules as they were given; empty before the first. */
  read(): Promise<readonly unknown[]>;
  replace(rules: readonly unknown[]): Promise<void>;
}

/** How often something may be done. */
export interface Allowance {
  /** How often in each window, as a whole number. */
  readonly points: number;
  /** Length of a window in seconds, at most a day. */
  readonly duration: number;
}

/** What every process must know soon when another one has changed it. */
export type Revised = "settings" | "erasures" | "windows" | "feeds";

/** How far the record of everything has come. */
export interface Revisions extends Readonly<Record<Revised, number>> {
  /** The `seq` of the newest entry of the ledger. */
  readonly ledger: number;
  /** There are accepted events whose accounts are still to be judged. */
  readonly isScoringPending: boolean;
}

/** The oldest instant to keep, by table. */
export interface PruneLimits {
  readonly ledgerBefore?: Instant;
  readonly eventsBefore?: Instant;
  readonly incidentsBefore?: Instant;
  readonly deliveriesBefore?: Instant;
  readonly decisionsBefore?: Instant;
}

/** Work that one process at a time does for all. */
export type Task = "feeds" | "pruning";

/**
 * What a transaction is about, and so what other processes may do at the same time: those about
 * reports come one after the other, those about dispatch are about different applications, and
 * anything else runs alone.
 */
export type LockScope = "reports" | "dispatch" | "anything";

/** Space that the database takes, and what is left for it; in bytes. */
export interface StorageUsage {
  readonly databaseBytes: number;
  /** Absent if the database is on another machine. */
  readonly freeBytes?: number;
}

/** How many entries an erasure removed. */
export interface Erasure {
  readonly ledgerEntries: number;
  readonly events: number;
  readonly incidents: number;
  readonly responses: number;
  readonly deliveries: number;
  /** Deliveries, queued payloads and incidents that go once they have ended. */
  readonly pending: number;
}

/**
 * Everything that the service stores.
 *
 * What a method changed is on disk when its promise resolves; only `recordAttempts` does not wait for
 * the disk. Every method rejects with `STORE_FAILED` when the database cannot do it, for example on
 * a full disk; nothing is changed then.
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
   * Does several things as one: all of them, or none when `work` rejects.
   *
   * Inside, use only the storage that is passed in: a call of the outer one would wait for the end of
   * the transaction, and so for itself. Keep it short, and only wait for the storage.
   *
   * @param scope Locks to take; default `reports` under the writer lock, and `anything` outside.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>, scope?: LockScope): Promise<T>;

  /**
   * Runs several transactions about reports under the writer lock: no other process has one meanwhile. The
   * same rules hold; the storage that is passed in has transactions.
   */
  withWriterLock<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

  /**
   * Does something that no other process on the database does at the same time; waits for its turn.
   *
   * @returns undefined when the signal ended the waiting.
   */
  withTaskLock<T>(task: Task, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;

  /** Makes a limiter that all processes on the database share. */
  rateLimiter(allowance: Allowance): RateLimiterAbstract;

  /** Tells every process that there are new feeds. */
  publishFeeds(): Promise<void>;

  /** How far the record has come; whoever wrote it. */
  revisions(): Promise<Revisions>;

  /** Sends only for those of the applications for which no other process sends. */
  lockApplications(applicationIds: readonly string[]): Promise<void>;

  /** Whether this process, and no other, sends for an application now. */
  holdsApplication(applicationId: string): boolean;

  /**
   * Forgets an address or an account: its ledger, the content of the events that name it, and every
   * finished delivery and ended incident that shows it. Deliveries and payloads still pending go out
   * first, and open incidents lose its name at once: `erasePending` erases them when they end.
   */
  erase(subject: Subject): Promise<Erasure>;

  /** Erases marked rows that have ended since, and returns their number. Call this from time to time. */
  erasePending(): Promise<number>;

  /** Forgets what is older than each limit given: what is finished, never what is pending. */
  prune(limits: PruneLimits): Promise<number>;

  /**
   * Follows a clock that was set by so much, negative for set back, so that nothing waits longer for it.
   * Done by itself when the storage is opened.
   */
  followClock(setBy: Instant): Promise<void>;

  /**
   * Changes whenever an application, a signing secret or a pending delivery changes otherwise than by
   * an attempt. While it stays the same, what was read before is still true, as far as this process
   * knows.
   */
  revision(): number;

  /** Counts what was read before as outdated: another process has changed something. */
  outdate(): void;

  usage(): Promise<StorageUsage>;

  /** Resolves where the database answers; reads hardly anything. */
  check(): Promise<void>;

  close(): Promise<void>;
}
