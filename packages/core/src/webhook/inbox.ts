import type { Receipt } from "./receipt.js";

/** A verified delivery, whole: what an inbox stores and hands back. */
export interface AcceptedDelivery {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  readonly secretId: string;
}

/**
 * Durable acceptance: with an inbox a delivery is stored first, answered 2xx, and handled afterwards.
 */
export interface Inbox {
  /** Store a delivery; resolves only when it survives a crash of this process. */
  accept(delivery: AcceptedDelivery): Promise<void>;
  /**
   * Called once by the receiver with what handles a stored delivery. A receipt with `failed` or
   * `pending` elements asks for another try.
   */
  attach(process: (delivery: AcceptedDelivery) => Promise<Receipt>): void;
}
