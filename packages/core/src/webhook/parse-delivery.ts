import { bodyText } from "./body-text.js";
import { typeName } from "../base/type-name.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import type { Payload } from "./payload.js";
import { readPayload } from "./payload-schema.js";
import { withoutPrototypeKeys } from "./prototype-keys.js";
import { isRawObject, type RawObject } from "./raw-object.js";
import type { RawBody } from "./signature.js";
import { isEventCategory, isEventKind, isPayloadType, type PayloadType } from "./vocabulary.js";

/** Member with the type of a payload. Source: specification, Payload types. */
const TYPE_FIELD = "service_payload_type";

/** Most payloads in one delivery. Source: specification, Limits. */
export const MAX_PAYLOADS = 1000;

/** The array of one POST, element by element. */
export interface Delivery {
  /** Payloads of a known type, in order. */
  readonly elements: readonly DeliveryElement[];
  /** Everything else, in order, with the reason. */
  readonly ignored: readonly IgnoredElement[];
  /** Length of the array. */
  readonly size: number;
}

/** A payload with its place and its original. */
export interface DeliveryElement<P extends Payload = Payload> {
  readonly index: number;
  readonly type: PayloadType;
  readonly payload: P;
  /** The element as it was sent. */
  readonly raw: RawObject;
  /** Paths of members that had an unusable value and were left out of `payload`. */
  readonly dropped: readonly string[];
}

/** An element that no typed handler receives. */
export interface IgnoredElement {
  readonly index: number;
  readonly reason: IgnoredReason;
  /** Type of a payload of a later vocabulary; missing where the element is not a payload. */
  readonly type?: string;
  readonly raw: unknown;
}

/**
 * Why an element is ignored: it is not a payload, it is one of a later vocabulary, or the receiver has
 * no handler for its type.
 */
export type IgnoredReason =
  "not_an_object" | "no_type" | "unknown_type" | "unknown_category" | "unknown_kind" | "no_handler";

/** Options of {@link parseDelivery}. */
export interface ParseOptions {
  /** Member with the type of a payload; default `service_payload_type`. */
  readonly payloadTypeField?: string;
}

/**
 * Turn the body of a delivery into typed payloads.
 *
 * One malformed element never spoils the others. `__proto__` and `constructor.prototype` are
 * removed at any depth.
 *
 * @param body Bytes as received, after the signature was verified; one leading BOM is tolerated.
 * @throws {RiskGateError} CONFIG_INVALID for an unusable option, INVALID_ENCODING,
 * INVALID_JSON, INVALID_PAYLOAD (not an array) or TOO_MANY_EVENTS (over 1,000 elements).
 */
export function parseDelivery(body: RawBody, options?: ParseOptions): Delivery {
  const field =
    options === undefined ? TYPE_FIELD : readOptions("parseDelivery", options, readTypeField);
  return parseText(bodyText(body), field);
}

/** Read the option `payloadTypeField`. */
export function readTypeField(options: OptionReader): string {
  const field = options.string("payloadTypeField") ?? TYPE_FIELD;
  return field || options.refuse("payloadTypeField", "the name of a member", field);
}

/** {@link parseDelivery} for a body that is decoded, with the BOM dropped. */
export function parseText(text: string, field: string): Delivery {
  const elements: DeliveryElement[] = [];
  const ignored: IgnoredElement[] = [];
  const array = parseArray(text);
  for (let index = 0; index < array.length; index++) {
    const raw = array[index];
    if (!isRawObject(raw)) {
      ignored.push({ index, reason: "not_an_object", raw });
      continue;
    }
    const type = raw[field];
    if (typeof type !== "string") {
      ignored.push({ index, reason: "no_type", raw });
    } else if (!isPayloadType(type)) {
      ignored.push({ index, reason: "unknown_type", type, raw });
    } else {
      const dropped: string[] = [];
      const payload = readPayload(type, raw, dropped);
      const reason = unknownVocabulary(payload);
      if (reason) ignored.push({ index, reason, type, raw });
      else elements.push({ index, type, payload, raw, dropped });
    }
  }
  return { elements, ignored, size: array.length };
}

function parseArray(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new RiskGateError("INVALID_JSON", "expected a body that is JSON");
  }
  if (!Array.isArray(value)) {
    throw new RiskGateError(
      "INVALID_PAYLOAD",
      `expected a JSON array of payloads, given ${typeName(value)}`,
    );
  }
  if (value.length > MAX_PAYLOADS) {
    throw new RiskGateError(
      "TOO_MANY_EVENTS",
      `expected at most ${MAX_PAYLOADS} payloads, given ${value.length}`,
    );
  }
  return withoutPrototypeKeys(value, text);
}

/** Source: specification, Delivery rules, 4. A word that is missing is not unknown. */
function unknownVocabulary(payload: Payload): IgnoredReason | undefined {
  if (payload.service_payload_type !== "security_event") return undefined;
  const { event_category: category, event_kind: kind } = payload;
  if (category !== undefined && !isEventCategory(category)) return "unknown_category";
  if (kind !== undefined && !isEventKind(kind)) return "unknown_kind";
  return undefined;
}
