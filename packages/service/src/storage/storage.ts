import { type Applications, createApplications } from "./applications.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Deliveries } from "./deliveries.js";
import { createDeliveries } from "./deliveries-table.js";
import { type Erasure, eraseSubject, settleErasures } from "./erasure.js";
import { createEvents, type Events } from "./events.js";
import { createIncidents, type Incidents } from "./incidents.js";
import type { Clock, Instant } from "./instant.js";
import { createJudgements, type Judgements } from "./judgements.js";
import type { Leases } from "./leases.js";
import { createLedgerStore, type LedgerStore, type Subject } from "./ledger-store.js";
import { createOutbox, type Outbox } from "./outbox.js";
import { createPlaybooks, type Playbooks } from "./playbooks.js";
import { followClock } from "./set-clock.js";
import { pruneTables, type PruneLimits } from "./retention.js";
import { readUsage, type StorageUsage } from "./usage.js";

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
  readonly judgements: Judgements;
  readonly playbooks: Playbooks;

  /**
   * Does several things as one: all of them, or none when `work` rejects.
   *
   * Inside, use only the storage that is passed in: a call of the outer one would wait for the end of
   * the transaction, and so for itself. Keep it short, and wait for nothing but the storage.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

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
   * an attempt. While it stays the same, what was read before is still true.
   */
  revision(): number;

  usage(): Promise<StorageUsage>;

  /** Resolves where the database answers; reads hardly anything. */
  check(): Promise<void>;

  close(): Promise<void>;
}

/** Creates the storage in a database, or in a transaction of one. */
export function createStorage(
  database: Database,
  clock: Clock,
  leases: Leases,
): Omit<Storage, "close"> {
  return {
    applications: createApplications(database, clock, leases),
    outbox: createOutbox(database, clock),
    deliveries: createDeliveries(database, clock, leases),
    ledger: createLedgerStore(database),
    events: createEvents(database, clock),
    incidents: createIncidents(database),
    judgements: createJudgements(database),
    playbooks: createPlaybooks(database, clock),
    async transaction(work) {
      try {
        return await atomically(database, (within) =>
          // Only the storage itself can be closed.
          work({ ...createStorage(within, clock, leases), close: () => Promise.resolve() }),
        );
      } catch (error) {
        // What the transaction made does not exist.
        leases.outdate();
        throw error;
      }
    },
    erase: (subject) => eraseSubject(database, subject),
    settleErasures: () => settleErasures(database),
    prune: (limits) => pruneTables(database, limits),
    usage: () => readUsage(database),
    async check() {
      await database.selectFrom("applications").select("seq").limit(1).execute();
    },
    followClock: (setBy) => followClock(database, setBy, clock()),
    revision: () => leases.revision,
  };
}
