import { isInDeliveredForm } from "./delivered-form.js";
import type { Payload } from "./payload.js";
import type { RawObject } from "./raw-object.js";
import { type Normalized, repairPayload } from "./repair-payload.js";
import type { PayloadType } from "./vocabulary.js";

/** Bring one payload into the spelling and the types of `Payload`; see {@link repairPayload}. */
export function normalizePayload(type: PayloadType, raw: RawObject): Normalized {
  return isInDeliveredForm(type, raw)
    ? { payload: raw as unknown as Payload, dropped: NONE }
    : repairPayload(type, raw);
}

const NONE: readonly string[] = Object.freeze([]);
