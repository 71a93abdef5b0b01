import { bodyText, type RawBody } from "./raw-body.js";
import { parseShallowJson, TOO_DEEP } from "../base/shallow-json.js";
import { typeName } from "../base/type-name.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isEnvelope } from "./envelope.js";
import type { Payload } from "../model/payload.js";
import { readPayload } from "./payload-schema.js";
import { withoutPrototypeKeys } from "./prototype-keys.js";
import { isRawObject } from "../model/raw-object.js";
import { isEventCategory, isEventKind, isPayloadType } from "../model/vocabulary.js";
import type {
  Delivery,
  DeliveryElement,
  IgnoredElement,
  IgnoredReason,
} from "../model/delivery.js";

/** Member with the type of a payload. Source: specification, Payload types. */
const TYPE_FIELD = "service_payload_type";

/** Maximum number of payloads in one delivery. Source: specification, Limits. */
export const MAX_PAYLOADS = 1000;

export interface ParseOptions {
  /** Member with the type of a payload that has no envelope; default `service_payload_type`. */
  readonly payloadTypeField?: string;
}

/**
 * Parses the body of a delivery into typed payloads. Its elements are payloads or their envelopes
 * (`message_type` and `message`), also mixed. A malformed element does not affect the others.
 * `__proto__` and `constructor.prototype` are removed at any depth.
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

export function readTypeField(options: OptionReader): string {
  const field = options.string("payloadTypeField") ?? TYPE_FIELD;
  return field || options.refuse("payloadTypeField", "the name of a member", field);
}

/** {@link parseDelivery} for a decoded body without its BOM. */
export function parseText(text: string, field: string): Delivery {
  const elements: DeliveryElement[] = [];
  const ignored: IgnoredElement[] = [];
  const array = parseArray(text);
  let dropped: string[] = [];
  for (let index = 0; index < array.length; index++) {
    const raw = array[index];
    if (!isRawObject(raw)) {
      ignored.push({ index, reason: "not_an_object", raw });
      continue;
    }
    let type = raw[field];
    let content = raw;
    if (typeof type !== "string" && isEnvelope(raw))
      ({ message_type: type, message: content } = raw);
    if (typeof type !== "string") {
      ignored.push({ index, reason: "no_type", raw });
    } else if (!isPayloadType(type)) {
      ignored.push({ index, reason: "unknown_type", type, raw });
    } else {
      const payload = readPayload(type, content, dropped);
      const reason = unknownVocabulary(payload);
      if (reason) ignored.push({ index, reason, type, raw });
      else elements.push({ index, type, payload, raw, dropped });
      // Nearly no element drops anything, so they share one empty list.
      if (dropped.length > 0) dropped = [];
    }
  }
  return { elements, ignored, size: array.length };
}

function parseArray(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = parseShallowJson(text);
  } catch (error) {
    // The parser's message quotes the body.
    const problem = error instanceof RangeError ? `, given some that is ${TOO_DEEP}` : "";
    throw new RiskGateError("INVALID_JSON", `expected a body that is JSON${problem}`);
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

/** Source: specification, Delivery rules, 4. A missing word is not unknown. */
function unknownVocabulary(payload: Payload): IgnoredReason | undefined {
  if (payload.service_payload_type !== "security_event") return undefined;
  const { event_category: category, event_kind: kind } = payload;
  if (category !== undefined && !isEventCategory(category)) return "unknown_category";
  if (kind !== undefined && !isEventKind(kind)) return "unknown_kind";
  return undefined;
}
