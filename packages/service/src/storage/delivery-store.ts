import type { OutgoingPayload, OutboxEntry, OutboxBacklog } from "../model/delivery.js";
import type {
  DeliveryState,
  StoredDelivery,
  DeliveryRef,
  ClaimedDelivery,
  NewDelivery,
  LoggedAttempt,
  AttemptRecord,
  UnfinishedDeliveries,
} from "../model/delivery.js";
import type { Instant } from "../model/instant.js";

interface ClaimOptions {
  readonly limit: number;
  readonly now: Instant;
  readonly leaseMs: number;
}

interface DeliveryFilter {
  readonly applicationId?: string;
  readonly state?: DeliveryState;
  readonly limit?: number;
  /** Only deliveries created before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Selects finished deliveries that did not arrive. */
export interface RetryFilter {
  readonly state: "dead" | "cancelled";
  readonly applicationId?: string | undefined;
  readonly createdSince: Instant;
  readonly createdBefore: Instant;
  /** Only deliveries after this one, for the next page; 0 for the first. */
  readonly afterSeq: number;
}

export interface RetriedPage {
  readonly retried: number;
  /** `afterSeq` of the next page; null after the last one. */
  readonly nextAfterSeq: number | null;
}

export interface Deliveries {
  /** Adds deliveries to the queue, due now, and atomically removes their entries from the outbox. */
  create(
    applicationId: string,
    deliveries: readonly NewDelivery[],
  ): Promise<readonly StoredDelivery[]>;
  /**
   * Claims the deliveries that have been due longest, in the order in which they were created, for
   * `leaseMs`. Leases are not stored, because their holder no longer exists when the storage is
   * reopened.
   */
  claim(applicationId: string, options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** Returns the exact bytes to sign and send; call it once. Undefined if the delivery was erased. */
  bodyToSend(delivery: DeliveryRef): Promise<Uint8Array | undefined>;
  release(deliveries: readonly DeliveryRef[]): void;
  /** Returns when the next unclaimed delivery of each application is due. */
  schedule(): Promise<
    readonly { readonly applicationId: string; readonly nextAttemptAt: Instant }[]
  >;
  /**
   * Logs attempts of different deliveries, releases the claims, and updates the deliveries and
   * `failingSince` of their applications, all atomically. A delivery that was cancelled in the
   * meantime remains cancelled unless it arrived.
   *
   * A power failure may undo this; the deliveries are then sent again with the same bytes.
   *
   * @returns The new state of each delivery; undefined for one that was erased.
   */
  recordAttempts(
    records: readonly AttemptRecord[],
  ): Promise<readonly (DeliveryState | undefined)[]>;
  list(filter?: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  get(id: string): Promise<StoredDelivery | undefined>;
  bodyOf(id: string): Promise<Uint8Array | undefined>;
  attemptsOf(id: string): Promise<readonly LoggedAttempt[]>;
  /** Schedules a delivery for now, even a finished one; undefined for an unknown or erased one. */
  retry(id: string): Promise<StoredDelivery | undefined>;
  /**
   * Schedules the oldest 1,000 of these deliveries for now, if their application is enabled and has a
   * URL, and returns their number.
   */
  retryAll(filter: RetryFilter): Promise<RetriedPage>;
  cancel(applicationId: string): Promise<number>;
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
  unfinished(): Promise<readonly UnfinishedDeliveries[]>;
}

/** Payloads that have been accepted but are not yet in a delivery. */
export interface Outbox {
  add(applicationId: string, payloads: readonly OutgoingPayload[]): Promise<void>;
  /** Returns the oldest entries in order. They remain until `deliveries.create` or `remove`. */
  take(applicationId: string, limit: number): Promise<readonly OutboxEntry[]>;
  remove(seqs: readonly number[]): Promise<void>;
  backlog(): Promise<readonly OutboxBacklog[]>;
}
