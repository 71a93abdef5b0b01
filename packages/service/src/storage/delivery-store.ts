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
  readonly since?: Instant;
  readonly until?: Instant;
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
  /** Adds deliveries to the queue, due now. */
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
  /** Returns when the next unclaimed delivery of each application, by default of all, is due. */
  schedule(
    partitions?: readonly number[],
  ): Promise<readonly { readonly applicationId: string; readonly nextAttemptAt: Instant }[]>;
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

/** The first payloads of an outbox. */
interface Taken {
  readonly entries: readonly OutboxEntry[];
  /** True if more may be waiting. */
  readonly hasMore: boolean;
}

/** The part of each log that has not been put into deliveries. */
export interface Outbox {
  /** Appends payloads that follow from no report. */
  add(applicationId: string, payloads: readonly OutgoingPayload[]): Promise<void>;
  /**
   * Returns the oldest waiting payloads in order, fewer than `limit` if they are large. They remain
   * until `pass`.
   */
  take(applicationId: string, limit: number): Promise<Taken>;
  /**
   * Moves past payloads that are in deliveries or not wanted.
   *
   * @returns False if the position is not `from`, because another process has moved it.
   */
  pass(applicationId: string, from: number, to: number): Promise<boolean>;
  /**
   * Returns what waits in the logs of the applications that receive deliveries.
   *
   * @param partitions Partitions of the applications; default all.
   * @param maxCounted Maximum count for one application; default 1,000, the size of a delivery.
   */
  backlog(partitions?: readonly number[], maxCounted?: number): Promise<readonly OutboxBacklog[]>;
  /** Returns the payloads of a delivery, in order; fewer than it had if some were deleted. */
  bodyOf(delivery: DeliveredEntries): Promise<readonly OutboxEntry[]>;
}

/** The entries of a log that a delivery consists of. */
interface DeliveredEntries {
  readonly applicationId: string;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** Entries between the first and the last that are not part of it. */
  readonly without: readonly number[];
}
