import { isRawObject, type RawObject } from "../model/raw-object.js";

/**
 * An element of the enveloped generation of deliveries: type and payload are apart, beside what the
 * service says about the sending. Such payloads name no type of their own.
 *
 * Source: deliveries seen; the specification shows the flat generation only.
 */
export interface Envelope extends RawObject {
  readonly message_type: string;
  readonly message: RawObject;
}

/** Whether an element without a type of its own is an envelope. */
export function isEnvelope(element: RawObject): element is Envelope {
  return typeof element.message_type === "string" && isRawObject(element.message);
}
