import type { Instant } from "../model/instant.js";

export const DELIVERY_STATES = ["pending", "delivered", "dead", "cancelled"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One POST, made once and sent until it succeeds or is given up. */
export interface StoredDelivery {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  /** Position among the deliveries of all applications; the order in which they were made. */
  readonly seq: number;
  readonly payloadCount: number;
  readonly bodyBytes: number;
  readonly createdAt: Instant;
  readonly state: DeliveryState;
  /** Attempts so far, since it was made or last retried by hand. */
  readonly attempts: number;
  /** Null once it is finished. */
  readonly nextAttemptAt: Instant | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** Names a delivery. */
export type DeliveryRef = Pick<StoredDelivery, "id" | "applicationId" | "seq">;

/** A delivery to be sent now, by who claimed it. */
export interface ClaimedDelivery extends DeliveryRef {
  /** Attempts so far, as in {@link StoredDelivery}. */
  readonly attempts: number;
  /** `storage.revision()` at that time: while it stays, the delivery is still to be sent. */
  readonly revision: number;
}

/** How to claim deliveries. */
interface ClaimOptions {
  /** Most deliveries. */
  readonly limit: number;
  readonly now: Instant;
  /** For how long nobody else gets them. */
  readonly leaseMs: number;
}

/** A delivery made from entries of the outbox. */
interface NewDelivery {
  readonly body: Uint8Array;
  /** Entries of the outbox that the body holds. */
  readonly seqs: readonly number[];
}

/** What one attempt came to. */
export interface Attempt {
  readonly startedAt: Instant;
  readonly durationMs: number;
  /** Status of the answer; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
  /** Where a refused redirect pointed to. */
  readonly location: string | null;
  /** Start of the answer's body. */
  readonly excerpt: string | null;
}

/** An attempt in the log. */
interface LoggedAttempt extends Attempt {
  /** 1 for the first; goes on counting over a manual retry. */
  readonly number: number;
}

/** What follows from an attempt. */
export type AttemptResult =
  | { readonly state: "delivered" }
  | { readonly state: "dead" }
  | { readonly state: "pending"; readonly nextAttemptAt: Instant };

/** An attempt to be logged, with what follows from it. */
export interface AttemptRecord {
  readonly delivery: DeliveryRef;
  readonly attempt: Attempt;
  readonly result: AttemptResult;
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

/** Deliveries of one application that are not delivered. */
export interface UnfinishedDeliveries {
  readonly applicationId: string;
  readonly state: "pending" | "dead";
  readonly count: number;
}

/** Deliveries with their log. */
export interface Deliveries {
  /** Put them in the queue, due now, and take their entries out of the outbox, as one. */
  create(
    applicationId: string,
    deliveries: readonly NewDelivery[],
  ): Promise<readonly StoredDelivery[]>;
  /**
   * Take those that have been due longest, in the order in which they were made; nobody else gets
   * them for `leaseMs`. A lease is not stored: its holder is gone when the storage is opened
   * again.
   */
  claim(applicationId: string, options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** The very bytes to sign and send, to be asked for once; undefined for what was erased. */
  bodyToSend(delivery: DeliveryRef): Promise<Uint8Array | undefined>;
  /** Give claimed deliveries back unsent. */
  release(deliveries: readonly DeliveryRef[]): void;
  /** When each application has something to send that is not claimed. */
  schedule(): Promise<
    readonly { readonly applicationId: string; readonly nextAttemptAt: Instant }[]
  >;
  /**
   * Log attempts of different deliveries, end the claims, and set what follows, all as one;
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
  /** Send a delivery now, a finished one again; undefined where there is none. */
  retry(id: string): Promise<StoredDelivery | undefined>;
  /** Cancel everything pending of an application; how many that were. */
  cancel(applicationId: string): Promise<number>;
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
  /** How many deliveries of each application wait for an attempt, or were given up. */
  unfinished(): Promise<readonly UnfinishedDeliveries[]>;
}
