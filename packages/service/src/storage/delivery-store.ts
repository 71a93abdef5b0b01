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

/** How to claim deliveries. */
interface ClaimOptions {
  /** Most deliveries. */
  readonly limit: number;
  readonly now: Instant;
  /** For how long nobody else gets them. */
  readonly leaseMs: number;
}

/** Which deliveries to list; newest first. */
interface DeliveryFilter {
  readonly applicationId?: string;
  readonly state?: DeliveryState;
  /** Default 100. */
  readonly limit?: number;
  /** Only those made before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Deliveries with their log. */
export interface Deliveries {
  /** Puts them in the queue, due now, and takes their entries out of the outbox, as one. */
  create(
    applicationId: string,
    deliveries: readonly NewDelivery[],
  ): Promise<readonly StoredDelivery[]>;
  /**
   * Takes those that have been due longest, in the order in which they were made; nobody else gets
   * them for `leaseMs`. A lease is not stored: its holder is gone when the storage is opened
   * again.
   */
  claim(applicationId: string, options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** The exact bytes to sign and send; ask once. Undefined if the delivery was erased. */
  bodyToSend(delivery: DeliveryRef): Promise<Uint8Array | undefined>;
  /** Gives claimed deliveries back unsent. */
  release(deliveries: readonly DeliveryRef[]): void;
  /** When each application has something to send that is not claimed. */
  schedule(): Promise<
    readonly { readonly applicationId: string; readonly nextAttemptAt: Instant }[]
  >;
  /**
   * Logs attempts of different deliveries, ends the claims, and sets what follows, all as one;
   * `failingSince` of the applications follows too. A delivery that was cancelled meanwhile stays
   * cancelled, unless it arrived.
   *
   * A power failure may undo it, and then they are sent again, the same bytes as before.
   *
   * @returns What each delivery is now; undefined for one that was erased.
   */
  recordAttempts(
    records: readonly AttemptRecord[],
  ): Promise<readonly (DeliveryState | undefined)[]>;
  list(filter?: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  get(id: string): Promise<StoredDelivery | undefined>;
  bodyOf(id: string): Promise<Uint8Array | undefined>;
  /** Oldest first. */
  attemptsOf(id: string): Promise<readonly LoggedAttempt[]>;
  /** Sends a delivery now, a finished one again; undefined for an unknown id. */
  retry(id: string): Promise<StoredDelivery | undefined>;
  /** Cancels pending deliveries of an application, and returns their number. */
  cancel(applicationId: string): Promise<number>;
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
  /** How many deliveries of each application wait for an attempt, or were given up. */
  unfinished(): Promise<readonly UnfinishedDeliveries[]>;
}

/** Payloads that are accepted and not yet in a delivery. */
export interface Outbox {
  add(applicationId: string, payloads: readonly OutgoingPayload[]): Promise<void>;
  /** The oldest ones, in order. They stay until `deliveries.create` or `remove` takes them out. */
  take(applicationId: string, limit: number): Promise<readonly OutboxEntry[]>;
  remove(seqs: readonly number[]): Promise<void>;
  /** Applications with something waiting. */
  backlog(): Promise<readonly OutboxBacklog[]>;
}
