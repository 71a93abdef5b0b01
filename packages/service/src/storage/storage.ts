import type { Applications } from "./applications.js";
import type { Deliveries } from "./deliveries.js";
import type { Events } from "./events.js";
import type { Incidents } from "./incidents.js";
import type { Instant } from "./instant.js";
import type { LedgerStore, Subject } from "./ledger-store.js";
import type { Outbox } from "./outbox.js";
import type { Playbooks } from "./playbooks.js";

/**
 * Everything that the service remembers.
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
  readonly playbooks: Playbooks;

  /**
   * Do several things as one: all of them, or none when `work` rejects.
   *
   * Inside, use only the storage that is handed in: everything else waits for the end, so that
   * the outer one would wait for itself. Keep it short, and wait for nothing but the storage.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T>;

  /**
   * Forget an address or an account: its ledger, the content of the events that name it, and every
   * finished delivery and ended incident that shows it. Deliveries still pending go out first.
   */
  erase(subject: Subject): Promise<Erasure>;

  /** Forget what is older than each limit given: what is finished, never what is pending. */
  prune(limits: PruneLimits): Promise<number>;

  /**
   * Another number whenever an application, a signing secret, or what of it is to be sent changed by
   * other means than an attempt. While it stays the same, what was read before still holds.
   */
  revision(): number;

  close(): Promise<void>;
}

/** How many entries an erasure removed. */
export interface Erasure {
  readonly ledgerEntries: number;
  readonly events: number;
  readonly incidents: number;
  readonly responses: number;
  readonly deliveries: number;
}

/** The oldest moment to keep, by what is kept. */
export interface PruneLimits {
  readonly ledgerBefore?: Instant;
  readonly eventsBefore?: Instant;
  readonly incidentsBefore?: Instant;
  readonly deliveriesBefore?: Instant;
}
