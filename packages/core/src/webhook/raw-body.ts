import { isAscii, isUtf8 } from "node:buffer";
import { RiskGateError } from "../base/errors.js";

/** Body of a delivery as it was received; text counts as its UTF-8 bytes. */
export type RawBody = string | Uint8Array;

/**
 * Decode a body, and drop one leading BOM.
 *
 * @throws {RiskGateError} INVALID_ENCODING for bytes that are not valid UTF-8.
 */
export function bodyText(body: RawBody): string {
  const text = typeof body === "string" ? body : decode(body);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function decode(body: Uint8Array): string {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // Nearly every body is ASCII, and then half the time is enough.
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new RiskGateError("INVALID_ENCODING", "expected a body in valid UTF-8");
}
