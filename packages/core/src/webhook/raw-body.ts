import { RiskGateError } from "../base/errors.js";
import { textOf } from "../base/platform.js";

/** Body of a delivery as received; text counts as its UTF-8 bytes. */
export type RawBody = string | Uint8Array;

/**
 * Decodes a body, and drops one leading BOM.
 * @throws {RiskGateError} INVALID_ENCODING for bytes that are not valid UTF-8.
 */
export function bodyText(body: RawBody): string {
  const text = typeof body === "string" ? body : textOf(body);
  if (text === undefined) {
    throw new RiskGateError("INVALID_ENCODING", "expected a body in valid UTF-8");
  }
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
