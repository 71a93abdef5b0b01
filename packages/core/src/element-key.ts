import { hash } from "node:crypto";
import type { RawObject } from "./normalize-payload.js";

/**
 * What makes two payloads the same: type, id and content. An incident that is sent again with new
 * counts is a new payload.
 *
 * @returns undefined for a payload without an id, which is never a duplicate, and for one nested so
 * deeply that it cannot be written down again.
 */
export function elementKey(type: string, raw: RawObject): string | undefined {
  const id = raw.event_id ?? raw.id;
  if (typeof id !== "string") return undefined;
  try {
    return hash("sha256", `${type}\n${id}\n${JSON.stringify(raw)}`, "base64url");
  } catch {
    return undefined;
  }
}
