// Runtime functions for Node. `platform.web.ts` implements the same with Web standards only.
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
import { LRUCache } from "lru-cache";

/** A `node:diagnostics_channel` channel with typed messages. */
export interface DiagnosticChannel<Message> {
  /** False without a subscriber, so the message need not be built. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}

/** Bytes, or text that is encoded as UTF-8. */
export type Data = string | Uint8Array;

export type DigestText = "hex" | "base64url";

/** A reusable HMAC-SHA-256 key. */
export type HmacKey = KeyObject;

export function hmacKey(secret: Data): HmacKey {
  return createSecretKey(typeof secret === "string" ? Buffer.from(secret) : secret);
}

export function hmac(key: Data | HmacKey, data: Data, form: DigestText): string {
  return createHmac("sha256", key).update(data).digest(form);
}

/** Like `hmac`, for code that may wait: runtimes without Node's modules return a promise. */
export function nativeHmac(key: HmacKey, data: Data, form: DigestText): string | Promise<string> {
  return hmac(key, data, form);
}

/** Returns the SHA-256 digest of a text; a promise on runtimes without Node's modules. */
export function sha256(text: string, form: DigestText): string | Promise<string> {
  return hash("sha256", text, form);
}

/** Returns this many random bytes, encoded as text. */
export function randomText(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** Longest text that is compared without allocating a buffer. */
const MOST_COMPARED = 64;

/** Reused by every comparison, which is faster than allocating two buffers. */
const given = Buffer.alloc(2 * MOST_COMPARED);
const made = Buffer.alloc(2 * MOST_COMPARED);

/**
 * Compares two texts of the same length, at most 64 characters, in constant time. Uses two bytes
 * per character: with one, a letter of another alphabet could equal a digit.
 */
export function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length || one.length > MOST_COMPARED) return false;
  given.fill(0).write(one, "utf16le");
  made.fill(0).write(other, "utf16le");
  return timingSafeEqual(given, made);
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** Decodes UTF-8; undefined for invalid bytes. A BOM is preserved. */
export function textOf(bytes: Uint8Array): string | undefined {
  const buffer = viewOf(bytes);
  // Nearly every body is ASCII, which decodes in half the time.
  if (isAscii(buffer)) return buffer.toString("latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : undefined;
}

/** Decodes UTF-8, with U+FFFD in place of invalid bytes. */
export function looseTextOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Decodes the first `length` bytes, which must be ASCII. */
export function asciiOf(bytes: Uint8Array, length: number): string {
  return viewOf(bytes).toString("latin1", 0, length);
}

/** Allocates bytes, uninitialized. A few bytes from Node's pool would retain 8 KiB of it. */
export function allocate(length: number): Uint8Array {
  return Buffer.allocUnsafeSlow(length);
}

export function channel<Message>(name: string): DiagnosticChannel<Message> {
  return openChannel(name);
}

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

/** A cache that evicts the least recently used entries. */
export interface Lru<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  /** @param options Size of the entry; default 1. */
  set(key: Key, value: Value, options?: { readonly size: number }): unknown;
  delete(key: Key): unknown;
}

/**
 * Creates an empty cache. `platform.web.ts` has a smaller implementation for bundles.
 *
 * @param maxSize Maximum number of entries, or maximum total size.
 */
export function createLru<Key extends {}, Value extends {}>(maxSize: number): Lru<Key, Value> {
  // `max` is not set: it would allocate space for every entry up front.
  return new LRUCache<Key, Value>({ maxSize, sizeCalculation: () => 1 });
}
