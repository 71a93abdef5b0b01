import type { PayloadType } from "@riskgate/core/payloads";
import type { Instant } from "./instant.js";

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

/** A delivery made from entries of the outbox. */
export interface NewDelivery {
  readonly body: Uint8Array;
  /** Entries of the outbox that the body holds. */
  readonly seqs: readonly number[];
}

/** Result of one attempt. */
export interface Attempt {
  readonly startedAt: Instant;
  readonly durationMs: number;
  /** Status of the answer; null without an answer. */
  readonly status: number | null;
  readonly error: string | null;
  /** Where a refused redirect pointed to. */
  readonly location: string | null;
  /** Start of the answer's body. */
  readonly excerpt: string | null;
}

/** An attempt in the log. */
export interface LoggedAttempt extends Attempt {
  /** 1 for the first; a manual retry continues the count. */
  readonly number: number;
}

/** Consequence of an attempt. */
export type AttemptResult =
  | { readonly state: "delivered" }
  | { readonly state: "dead" }
  | { readonly state: "pending"; readonly nextAttemptAt: Instant };

/** An attempt to log, with its consequence. */
export interface AttemptRecord {
  readonly delivery: DeliveryRef;
  readonly attempt: Attempt;
  readonly result: AttemptResult;
}

/** Deliveries of one application that are not delivered. */
export interface UnfinishedDeliveries {
  readonly applicationId: string;
  readonly state: "pending" | "dead";
  readonly count: number;
}

/** A payload to be delivered. */
export interface OutgoingPayload {
  readonly type: PayloadType;
  /** The kind of a security event, the genre of an incident. */
  readonly kind?: string | undefined;
  /** As it is sent: its JSON text is stored, and joined with others to the body of a delivery. */
  readonly payload: object;
}

/** A payload that waits for its delivery. */
export interface OutboxEntry {
  /** Position in the queue, over all applications. */
  readonly seq: number;
  readonly type: PayloadType;
  /** The kind of a security event, the genre of an incident. */
  readonly kind: string | undefined;
  /** JSON text of the payload. */
  readonly payload: string;
  /** The text in the database is not JSON any more. */
  readonly isDamaged: boolean;
  readonly queuedAt: Instant;
}

/** Payloads of one application that wait. */
export interface OutboxBacklog {
  readonly applicationId: string;
  readonly count: number;
  readonly oldestQueuedAt: Instant;
}
