import type { PayloadType } from "@riskgate/core";
import type { Instant } from "./instant.js";

/** A payload to be delivered. */
export interface OutgoingPayload {
  readonly type: PayloadType;
  /** `event_kind` of a security event. */
  readonly kind?: string | undefined;
  readonly payload: object;
}

/** A payload that waits for its delivery. */
export interface OutboxEntry {
  /** Position in the queue, over all applications. */
  readonly seq: number;
  readonly type: PayloadType;
  /** The kind of a security event. */
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

/** Payloads that are accepted and not yet in a delivery. */
export interface Outbox {
  add(applicationId: string, payloads: readonly OutgoingPayload[]): Promise<void>;
  /** The oldest ones, in order. They stay until `deliveries.create` or `remove` takes them out. */
  take(applicationId: string, limit: number): Promise<readonly OutboxEntry[]>;
  remove(seqs: readonly number[]): Promise<void>;
  /** Applications with something waiting. */
  backlog(): Promise<readonly OutboxBacklog[]>;
}
