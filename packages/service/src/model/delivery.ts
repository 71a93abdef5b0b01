import type { PayloadType } from "@riskgate/core/payloads";
import type { Instant } from "./instant.js";

export const DELIVERY_STATES = ["pending", "delivered", "dead", "cancelled"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A POST request, created once and sent until it succeeds or is dead. */
export interface StoredDelivery {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  /** Position among the deliveries of all applications, in the order in which they were created. */
  readonly seq: number;
  readonly payloadCount: number;
  readonly bodyBytes: number;
  readonly createdAt: Instant;
  readonly state: DeliveryState;
  /** Number of attempts since the delivery was created or last retried manually. */
  readonly attempts: number;
  /** Due time of the next attempt; null once the delivery is finished. */
  readonly nextAttemptAt: Instant | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export type DeliveryRef = Pick<StoredDelivery, "id" | "applicationId" | "seq">;

export interface ClaimedDelivery extends DeliveryRef {
  /** Attempts so far, as in {@link StoredDelivery}. */
  readonly attempts: number;
  /**
   * Revision of the storage at the time of the claim: while it is unchanged, the delivery is due.
   */
  readonly revision: number;
}

export interface NewDelivery {
  readonly body: Uint8Array;
  /** Entries of the log, in order. */
  readonly seqs: readonly number[];
  /** Entries between the first and the last that are not part of it; default none. */
  readonly without?: readonly number[];
}

export interface Attempt {
  readonly startedAt: Instant;
  readonly durationMs: number;
  /** Status of the response; null if there was none. */
  readonly status: number | null;
  readonly error: string | null;
  /** Target of a redirect, which is not followed. */
  readonly location: string | null;
  readonly excerpt: string | null;
}

export interface LoggedAttempt extends Attempt {
  /** 1 for the first; a manual retry continues the count. */
  readonly number: number;
}

export type AttemptResult =
  | { readonly state: "delivered" }
  | { readonly state: "dead" }
  | { readonly state: "pending"; readonly nextAttemptAt: Instant };

export interface AttemptRecord {
  readonly delivery: DeliveryRef;
  readonly attempt: Attempt;
  readonly result: AttemptResult;
}

/** Numbers of one application's deliveries that are pending or dead. */
export interface UnfinishedDeliveries {
  readonly applicationId: string;
  readonly state: "pending" | "dead";
  readonly count: number;
}

export interface OutgoingPayload {
  readonly type: PayloadType;
  /** Kind of a security event, or genre of an incident. */
  readonly kind?: string | undefined;
  /** The payload as sent: its JSON text is stored, and becomes part of a delivery body. */
  readonly payload: object;
}

export interface OutboxEntry {
  /** Position in the log. */
  readonly seq: number;
  readonly type: PayloadType;
  /** Kind of a security event, or genre of an incident. */
  readonly kind: string | undefined;
  readonly payload: string;
  /** True if the text in the database is no longer valid JSON, or was erased. */
  readonly isDamaged: boolean;
  readonly queuedAt: Instant;
}

export interface OutboxBacklog {
  readonly applicationId: string;
  readonly count: number;
  readonly oldestQueuedAt: Instant;
}
