import type { Receipt } from "./receipt.js";

/** A complete verified delivery, as an inbox stores and returns it. */
export interface AcceptedDelivery {
  readonly body: Uint8Array;
  readonly secretId: string;
  /**
   * Index of the first element in the delivered array; default 0. An inbox may return the elements
   * of a delivery one by one, each as a separate array.
   */
  readonly firstIndex?: number;
}

/** Durable acceptance: a delivery is first stored and acknowledged, then handled. */
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

export interface InboxCounts {
  /** Deliveries and elements that wait for a process. */
  readonly waiting: number;
  readonly active: number;
  /** Elements that wait for another attempt. */
  readonly delayed: number;
  readonly parked: number;
}

/** An element or delivery that is not retried. */
export interface ParkedDelivery {
  readonly id: string;
  readonly delivery: AcceptedDelivery;
  readonly reason: string;
  /** When it was parked, as milliseconds since 1970. */
  readonly parkedMs: number;
}

export interface DurableInbox extends Inbox {
  /**
   * Resolves once the store is open.
   * @throws {RiskGateError} CONFIG_INVALID if the store cannot be used with these settings;
   * INBOX_UNAVAILABLE if the inbox is closed.
   */
  ready(): Promise<void>;
  counts(): Promise<InboxCounts>;
  /** Returns parked elements, latest first; 100 of them unless `limit` is set. */
  parked(limit?: number): Promise<readonly ParkedDelivery[]>;
  /** Retries all parked elements with a full number of attempts; returns how many there were. */
  retryParked(): Promise<number>;
  /** Accepts nothing more, waits for running handlers, and closes the store. */
  close(): Promise<void>;
}
