// What the runtime gives: here Node. `platform.web.ts` has the same on Web standards alone.
import { isAscii, isUtf8 } from "node:buffer";
import {
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { channel as openChannel } from "node:diagnostics_channel";
import { domainToASCII } from "node:url";
import type { DiagnosticChannel } from "./diagnostic-channel.js";

export { createLru, type Lru } from "./lru.js";

/** Text that counts as its UTF-8 bytes, or bytes. */
export type Data = string | Uint8Array;

/** How a digest is written. */
export type DigestText = "hex" | "base64url";

/** A key of HMAC-SHA-256, made once. */
export type HmacKey = KeyObject;

export function hmacKey(secret: Data): HmacKey {
  return createSecretKey(typeof secret === "string" ? Buffer.from(secret) : secret);
}

/** HMAC-SHA-256. */
export function hmac(key: Data | HmacKey, data: Data, form: DigestText): string {
  return createHmac("sha256", key).update(data).digest(form);
}

/** SHA-256 of a text. */
export function sha256(text: string, form: DigestText): string {
  return hash("sha256", text, form);
}

/** Text of so many random bytes. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Longest text that is compared without a new buffer. */
const MOST_COMPARED = 64;

/** Overwritten by each comparison, which takes less time than to make two buffers. */
const given = Buffer.alloc(2 * MOST_COMPARED);
const made = Buffer.alloc(2 * MOST_COMPARED);

/**
 * Compares two texts of the same length, at most 64 characters, in constant time. Two bytes a
 * character: in one, a letter of another alphabet would pass for a digit.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length || one.length > MOST_COMPARED) return false;
  given.fill(0).write(one, "utf16le");
  made.fill(0).write(other, "utf16le");
  return timingSafeEqual(given, made);
}

/** Bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}

/** Number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Decodes UTF-8; undefined for other bytes. A BOM stays. */
export function textOf(bytes: Uint8Array): string | undefined {
  const buffer = viewOf(bytes);
  // Nearly every body is ASCII, and then half the time is enough.
  if (isAscii(buffer)) return buffer.toString("latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : undefined;
}

/** Text of bytes in UTF-8, with U+FFFD for each that is wrong. */
export function looseTextOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Text of the first `length` bytes, each a character of ASCII. */
export function asciiOf(bytes: Uint8Array, length: number): string {
  return viewOf(bytes).toString("latin1", 0, length);
}

/** Bytes to be overwritten. Not from the pool, of which a few bytes would keep 8 KiB. */
export function allocate(length: number): Uint8Array {
  return Buffer.allocUnsafeSlow(length);
}

/** The channel of this name in `node:diagnostics_channel`. */
export function channel<Message>(name: string): DiagnosticChannel<Message> {
  return openChannel(name);
}

/** Emit a process warning. */
export function emitWarning(message: string, code: string): void {
  process.emitWarning(message, { type: "RiskGateWarning", code });
}

/** Returns a domain name in ASCII; empty for any other text. */
export function domainToAscii(domain: string): string {
  return domainToASCII(domain);
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
