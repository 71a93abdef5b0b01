import { sha256 } from "../base/platform.js";
import { endOfText } from "../base/shallow-json.js";
import type { Awaitable } from "../model/awaitable.js";
import { isEnvelope } from "./envelope.js";
import type { RawObject } from "../model/raw-object.js";

const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * What makes two payloads the same: type, id and content, all of which are in the text. An incident
 * that is sent again with new counts is a new payload; an envelope, which counts how often it was
 * sent, is what its message is.
 *
 * @param text The element as it was sent; to hash it takes half the time of writing it again.
 * @returns undefined for a payload without an id, which is never a duplicate.
 */
export function elementKey(raw: RawObject, text: string): Awaitable<string | undefined> {
  if (hasId(raw)) return sha256(text, "base64url");
  if (!isEnvelope(raw) || !hasId(raw.message)) return undefined;
  return sha256(raw.message_type + messageText(text), "base64url");
}

function hasId({ event_id, id }: RawObject): boolean {
  return typeof (event_id ?? id) === "string";
}

/** The last one counts, as it does for the parser. A name with escapes is not found: all is hashed. */
function messageText(envelope: string): string {
  const members = partsFrom(envelope, envelope.indexOf("{") + 1);
  return members.findLast((member) => /^"message"\s*:/.test(member)) ?? envelope;
}

/**
 * Finds the text of each element of a JSON array, without the blanks around it.
 *
 * @param json An array that the JSON parser has accepted: anything else gives no useful result.
 * @param count Its length.
 */
export function elementTexts(json: string, count: number): string[] {
  const start = json.indexOf("[") + 1;
  // Nothing separates the only one: most deliveries have one, and this spares a third of its identity.
  if (count === 1) return [json.slice(start, json.lastIndexOf("]")).trim()];
  return partsFrom(json, start);
}

/** What commas separate in the array or object that begins before `start`. */
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
