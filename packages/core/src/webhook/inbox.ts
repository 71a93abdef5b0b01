import type { Receipt } from "./receipt.js";

/** A verified delivery, whole: what an inbox stores and hands back. */
export interface AcceptedDelivery {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  readonly secretId: string;
  /**
   * Place of the first element in the array that was sent; default 0. An inbox may return the
   * elements of a delivery one by one, each as a separate array.
   */
  readonly firstIndex?: number;
}

/**
 * Durable acceptance: with an inbox a delivery is stored first, answered 2xx, and handled afterwards.
 */
export interface Inbox {
  /** Stores a delivery; resolves only when it survives a crash of this process. */
  accept(delivery: AcceptedDelivery): Promise<void>;
  /**
   * Called once by the receiver with the function that handles a stored delivery. A receipt with a
   * `code`, or with `failed` or `pending` elements, requires a retry; the codes HANDLER_BUSY and
   * STORE_FAILED mean that no remaining handler was started.
   */
  attach(process: (delivery: AcceptedDelivery) => Promise<Receipt>): void;
}

/** Current contents of an inbox, for all processes. */
export interface InboxCounts {
  /** Deliveries and elements that wait for a process. */
  readonly waiting: number;
  readonly active: number;
  /** Elements that wait for another attempt. */
  readonly delayed: number;
  readonly parked: number;
}

/** An element, or a delivery, that is not tried again. */
export interface ParkedDelivery {
  readonly id: string;
  readonly delivery: AcceptedDelivery;
  readonly reason: string;
  /** When it was parked, as milliseconds since 1970. */
  readonly parkedMs: number;
}

/** An inbox with a look into it, and an end. */
export interface DurableInbox extends Inbox {
  /**
   * Resolves once the store is open.
   *
   * @throws {RiskGateError} CONFIG_INVALID when it cannot be used as it is set up; INBOX_UNAVAILABLE
   * when the inbox is closed.
   */
  ready(): Promise<void>;
  counts(): Promise<InboxCounts>;
  /** Parked elements, the latest first; 100 of them unless `limit` is set. */
  parked(limit?: number): Promise<readonly ParkedDelivery[]>;
  /** Tries everything that is parked again, with all attempts; returns how many there were. */
  retryParked(): Promise<number>;
  /** Takes nothing more, waits for running handlers, and closes the store. */
  close(): Promise<void>;
}
