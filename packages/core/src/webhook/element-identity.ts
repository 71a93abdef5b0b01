import { hash } from "node:crypto";
import type { RawObject } from "./raw-object.js";

/**
 * What makes two payloads the same: type, id and content, all of which stand in the text. An incident
 * that is sent again with new counts is a new payload.
 *
 * @param text The element as it was sent; to hash it costs half of writing it down again.
 * @returns undefined for a payload without an id, which is never a duplicate.
 */
export function elementKey(raw: RawObject, text: string): string | undefined {
  const id = raw.event_id ?? raw.id;
  return typeof id === "string" ? hash("sha256", text, "base64url") : undefined;
}
