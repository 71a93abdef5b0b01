import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { type Applications, createApplications } from "./applications.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { createDecisions, type Decisions } from "./decisions.js";
import type { Deliveries } from "./deliveries.js";
import { createDeliveries } from "./deliveries-table.js";
import { type Erasure, eraseSubject, settleErasures } from "./erasure.js";
import { createEvents, type Events } from "./events.js";
import { createIncidents, type Incidents } from "./incidents.js";
import type { Clock, Instant } from "../model/instant.js";
import { createJudgements, type Judgements } from "./judgements.js";
import type { Leases } from "./leases.js";
import { createLedgerStore, type LedgerStore, type Subject } from "./ledger-store.js";
import { createOperatorRuleStore, type OperatorRuleStore } from "./operator-rules.js";
import { createOutbox, type Outbox } from "./outbox.js";
import { createPatience, type Patience } from "./patience.js";
import { createPlaybooks, type Playbooks } from "./playbooks.js";
import { type Allowance, createRateLimiter } from "./rate-limiter.js";
import { followClock } from "./set-clock.js";
import { pruneTables, type PruneLimits } from "./retention.js";
import { advance, readRevisions, type Revisions } from "./revisions.js";
import { alone, type Task } from "./alone.js";
import { type Concern, inTurn } from "./turn.js";
import { readUsage, type StorageUsage } from "./usage.js";
import { createWindows, type Windows } from "./windows.js";

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
  readonly judgements: Judgements;
  readonly playbooks: Playbooks;
  readonly windows: Windows;
  readonly operatorRules: OperatorRuleStore;

  /**
   * Does several things as one: all of them, or none when `work` rejects.
   *
   * Inside, use only the storage that is passed in: a call of the outer one would wait for the end of
   * the transaction, and so for itself. Keep it short, and wait for nothing but the storage.
   *
   * @param concern What it keeps to; default `reports` in a turn, and `anything` outside.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>, concern?: Concern): Promise<T>;

  /**
   * Does several transactions about reports in a row, between which no other process has any. The
   * same rules hold; the storage that is passed in has transactions.
   */
  turn<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

  /**
   * Does something that no other process on the database does at the same time; waits for its turn.
   *
   * @returns undefined when the signal ended the waiting.
   */
  alone<T>(task: Task, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined>;

  /** Makes a limiter that all processes on the database share. */
  rateLimiter(allowance: Allowance): RateLimiterAbstract;

  /** Tell every process that there are new feeds. */
  announceFeeds(): Promise<void>;

  /** How far the record has come; whoever wrote it. */
  revisions(): Promise<Revisions>;

  /** Send for those of these applications that no other process sends for, and for no others. */
  hold(applicationIds: readonly string[]): Promise<void>;

  /** Whether this process, and no other, sends for an application now. */
  holds(applicationId: string): boolean;

  /**
   * Forget an address or an account: its ledger, the content of the events that name it, and every
   * finished delivery and ended incident that shows it. Deliveries and payloads still pending go out
   * first, and incidents that go on lose its name at once: `settleErasures` erases them when they end.
   */
  erase(subject: Subject): Promise<Erasure>;

  /** Erase what has ended since it was to be erased; how much that was. To be called from time to time. */
  settleErasures(): Promise<number>;

  /** Forget what is older than each limit given: what is finished, never what is pending. */
  prune(limits: PruneLimits): Promise<number>;

  /**
   * Follow a clock that was set by so much, negative for set back, so that nothing waits longer for it.
   * Done by itself when the storage is opened.
   */
  followClock(setBy: Instant): Promise<void>;

  /**
   * Changes whenever an application, a signing secret or a pending delivery is changed by anything but
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

/**
 * Creates the storage in a database, or in a transaction of one.
 *
 * @param database Where turns are taken, if not there: to wait for one holds up nothing else then.
 */
export function createStorage(
  database: Database,
  clock: Clock,
  leases: Leases,
  {
    ofTurns = database,
    usual = "anything",
    patience = createPatience(),
  }: { ofTurns?: Database; usual?: Concern; patience?: Patience } = {},
): Omit<Storage, "close"> {
  // Only the storage itself can be closed.
  const inside = (within: Database, concern?: Concern): Storage => ({
    ...createStorage(within, clock, leases, concern && { usual: concern }),
    close: () => Promise.resolve(),
  });
  return {
    applications: createApplications(database, clock, leases),
    outbox: createOutbox(database, clock),
    deliveries: createDeliveries(database, clock, leases),
    ledger: createLedgerStore(database),
    events: createEvents(database, clock),
    incidents: createIncidents(database),
    decisions: createDecisions(database, clock),
    judgements: createJudgements(database),
    playbooks: createPlaybooks(database, clock),
    windows: createWindows(database),
    operatorRules: createOperatorRuleStore(database),
    async transaction(work, concern = usual) {
      try {
        return await atomically(database, (within) => work(inside(within)), concern);
      } catch (error) {
        // What the transaction made does not exist.
        leases.outdate();
        throw error;
      }
    },
    turn: (work) => inTurn(ofTurns, (within) => work(inside(within, "reports"))),
    alone: (task, work, signal) => alone(database, task, work, signal),
    rateLimiter: (allowance) => createRateLimiter(database, patience, allowance),
    announceFeeds: async () => void (await advance(database, "feeds")),
    revisions: () => readRevisions(database),
    hold: (applicationIds) => leases.holdings.hold(database, applicationIds),
    holds: (applicationId) => leases.holdings.has(applicationId),
    erase: (subject) => eraseSubject(database, subject),
    settleErasures: () => settleErasures(database),
    prune: (limits) => pruneTables(database, limits, clock()),
    usage: () => readUsage(database),
    async check() {
      await database.selectFrom("applications").select("seq").limit(1).execute();
    },
    followClock: (setBy) => followClock(database, setBy, clock()),
    revision: () => leases.revision,
    outdate: () => leases.outdate(),
  };
}
