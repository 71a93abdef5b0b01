import type { Payload } from "./payload.js";
import type { RawObject } from "./raw-object.js";
import type { PayloadType } from "./vocabulary.js";

/** The array of one POST, element by element. */
export interface Delivery {
  /** Payloads of a known type, in order. */
  readonly elements: readonly DeliveryElement[];
  readonly ignored: readonly IgnoredElement[];
  readonly size: number;
}

/** A payload with its position and its original. */
export interface DeliveryElement<P extends Payload = Payload> {
  readonly index: number;
  readonly type: PayloadType;
  readonly payload: P;
  /** The element as it was sent, with its envelope. */
  readonly raw: RawObject;
  /** Paths of members that had an invalid value and were omitted from `payload`. */
  readonly dropped: readonly string[];
}

/** An element that no typed handler receives. */
export interface IgnoredElement {
  readonly index: number;
  readonly reason: IgnoredReason;
  /** Type of a payload from a later vocabulary; missing if the element has no type. */
  readonly type?: string;
  readonly raw: unknown;
}

/**
 * Why an element is ignored: it is not a payload, it is from a later vocabulary, or the receiver
 * has no handler for its type.
 */
export type IgnoredReason =
  "not_an_object" | "no_type" | "unknown_type" | "unknown_category" | "unknown_kind" | "no_handler";
