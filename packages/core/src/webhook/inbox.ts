import type { Receipt } from "./receipt.js";

/** A verified delivery, whole: what an inbox stores and hands back. */
export interface AcceptedDelivery {
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  readonly secretId: string;
  /**
   * Place of the first element in the array that was sent; default 0. An inbox may hand back the
   * elements of a delivery one by one, each as an array of its own.
   */
  readonly firstIndex?: number;
}

/**
 * Durable acceptance: with an inbox a delivery is stored first, answered 2xx, and handled afterwards.
 */
export interface Inbox {
  /** Store a delivery; resolves only when it survives a crash of this process. */
  accept(delivery: AcceptedDelivery): Promise<void>;
  /**
   * Called once by the receiver with what handles a stored delivery. A receipt with a `code`, or with
   * `failed` or `pending` elements, asks for another try; the codes HANDLER_BUSY and STORE_FAILED say
   * that nothing of what is left was begun.
   */
  attach(process: (delivery: AcceptedDelivery) => Promise<Receipt>): void;
}
