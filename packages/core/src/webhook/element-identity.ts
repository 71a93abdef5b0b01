import { sha256 } from "../base/platform.js";
import { endOfText } from "../base/shallow-json.js";
import type { Awaitable } from "../model/awaitable.js";
import { isEnvelope } from "./envelope.js";
import type { RawObject } from "../model/raw-object.js";

const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * Returns the identity of a payload: a digest of its type, id and content, all of which are in the
 * text. An incident sent again with new counts is a new payload. An envelope counts its
 * transmissions, so only the message inside it is hashed.
 * @param text The element as sent; hashing it takes half the time of serializing it again.
 * @param position Identity of the element by its delivery, for a payload without an id.
 * @returns Undefined for a payload without any id, which is never a duplicate.
 */
export function elementKey(
  raw: RawObject,
  text: string,
  position?: string,
): Awaitable<string | undefined> {
  if (hasId(raw)) return sha256(text, "base64url");
  if (!isEnvelope(raw) || !hasId(raw.message)) {
    return position === undefined ? undefined : sha256(position, "base64url");
  }
  return sha256(raw.message_type + messageText(text), "base64url");
}

function hasId({ event_id, id }: RawObject): boolean {
  return typeof (event_id ?? id) === "string";
}

/** Uses the last one, like the parser. An escaped name is not found: then everything is hashed. */
function messageText(envelope: string): string {
  const members = partsFrom(envelope, envelope.indexOf("{") + 1);
  return members.findLast((member) => /^"message"\s*:/.test(member)) ?? envelope;
}

/**
 * Returns the text of each element of a JSON array, without surrounding whitespace.
 * @param json An array that the JSON parser accepted; the result for other text is useless.
 * @param count Its length.
 */
export function elementTexts(json: string, count: number): string[] {
  const start = json.indexOf("[") + 1;
  // Most deliveries have one element; this saves a third of the time to compute its identity.
  if (count === 1) return [json.slice(start, json.lastIndexOf("]")).trim()];
  return partsFrom(json, start);
}

/** Splits the array or object that begins before `start` at its commas. */
function partsFrom(json: string, start: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let at = start;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfText(json, at);
    else if (isOpening(code)) depth++;
    else if (isClosing(code)) {
      if (--depth < 0) break;
    } else if (code === COMMA && depth === 0) {
      parts.push(json.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = json.slice(start, at).trim();
  if (last !== "") parts.push(last);
  return parts;
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d;
}
