import { hmac as hmacOf } from "@noble/hashes/hmac.js";
import { sha256 as sha256Of } from "@noble/hashes/sha2.js";
import type * as Node from "./platform.js";

/** An HMAC-SHA-256 key as bytes, because WebCrypto keys can only be used asynchronously. */
type HmacKey = Uint8Array;

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const loose = new TextDecoder("utf-8", { ignoreBOM: true });

export function hmacKey(secret: Node.Data): HmacKey {
  // A copy, because the caller may overwrite its bytes.
  return Uint8Array.from(bytesOf(secret));
}

export function hmac(key: Node.Data, data: Node.Data, form: Node.DigestText): string {
  return written(hmacOf(sha256Of, bytesOf(key), bytesOf(data)), form);
}

/** Imports the key each time, because some runtimes allow no asynchronous work at set-up. */
export async function nativeHmac(
  key: Uint8Array,
  data: Node.Data,
  form: Node.DigestText,
): Promise<string> {
  const how = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytesOf(key), how, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", imported, bytesOf(data));
  return written(new Uint8Array(digest), form);
}

export async function sha256(text: string, form: Node.DigestText): Promise<string> {
  return written(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(text))), form);
}

export function randomText(bytes: number): string {
  return written(crypto.getRandomValues(new Uint8Array(bytes)), "base64url");
}

export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

export function looseTextOf(bytes: Uint8Array): string {
  return loose.decode(bytes);
}

export function asciiOf(bytes: Uint8Array, length: number): string {
  return String.fromCharCode(...bytes.subarray(0, length));
}

export function allocate(length: number): Uint8Array {
  return new Uint8Array(length);
}

export function channel<Message>(): Node.DiagnosticChannel<Message> {
  return { hasSubscribers: false, publish() {} };
}

export function emitWarning(message: string, code: string): void {
  // oxlint-disable-next-line no-console -- Nothing else reports it.
  console.warn(`RiskGateWarning [${code}]: ${message}`);
}

export function domainToAscii(domain: string): string {
  // No domain name contains a character that would end the host part of a URL.
  if (/[\s#/:?@\\[\]]/.test(domain)) return "";
  return URL.canParse(`ws://${domain}`) ? new URL(`ws://${domain}`).hostname : "";
}

/** A twentieth of the size of the package `lru-cache`: a Map preserves insertion order. */
export function createLru<Key extends {}, Value extends {}>(maxSize: number): Node.Lru<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  let free = maxSize;
  const lru: Node.Lru<Key, Value> = {
    get size() {
      return entries.size;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry) lru.set(key, entry.value, entry);
      return entry?.value;
    },
    set(key, value, { size } = { size: 1 }) {
      lru.delete(key);
      entries.set(key, { value, size });
      free -= size;
      for (const oldest of entries.keys()) {
        if (free >= 0) return;
        lru.delete(oldest);
      }
    },
    delete(key) {
      free += entries.get(key)?.size ?? 0;
      entries.delete(key);
    },
  };
  return lru;
}

/** Bytes from requests and options are never in shared memory. */
function bytesOf(data: Node.Data): Uint8Array<ArrayBuffer> {
  return (typeof data === "string" ? utf8(data) : data) as Uint8Array<ArrayBuffer>;
}

function written(bytes: Uint8Array, form: Node.DigestText): string {
  if (form === "hex") {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
