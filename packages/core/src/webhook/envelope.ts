import { isRawObject, type RawObject } from "../model/raw-object.js";

/**
 * An element of the enveloped generation of deliveries: type and payload are separate, next to
 * members about the transmission. These payloads do not name a type.
 *
 * Source: observed deliveries; the specification shows only the flat generation.
 */
export interface Envelope extends RawObject {
  readonly message_type: string;
  readonly message: RawObject;
}

/** Returns true if an element without its own type is an envelope. */
export function isEnvelope(element: RawObject): element is Envelope {
  return typeof element.message_type === "string" && isRawObject(element.message);
}
