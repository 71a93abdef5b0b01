import { parseIp } from "./ip-address.js";

/** Size of a network: IP version and prefix length. */
export interface Cidr {
  readonly version: 4 | 6;
  readonly length: number;
}

/**
 * Parses a network in CIDR notation, or a bare address, into `words`. Bits after the prefix are
 * cleared, so any address in a network identifies it.
 */
export function parseCidr(text: string, words: Uint32Array): Cidr | undefined {
  const slash = text.indexOf("/");
  const version = parseIp(slash < 0 ? text : text.slice(0, slash), words);
  if (version === 0) return undefined;
  const width = version === 4 ? 32 : 128;
  let length = width;
  if (slash >= 0) {
    length = prefixLength(text, slash + 1);
    // The prefix length of an IPv4-mapped network counts from the start of its IPv6 form.
    if (version === 4 && text.includes(":")) length -= 96;
    if (length < 0 || length > width) return undefined;
  }
  maskWords(words, width / 32, length);
  return { version, length };
}

/** Reads one to three digits at the end of `text`; -1 without digits or for a leading zero. */
function prefixLength(text: string, from: number): number {
  const digits = text.length - from;
  if (digits < 1 || digits > 3 || (digits > 1 && text.charCodeAt(from) === ZERO)) return -1;
  let length = 0;
  for (let at = from; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length;
}

const ZERO = 48;

/** Clears all bits after the first `length`. */
export function maskWords(words: Uint32Array, count: number, length: number): void {
  for (let word = 0; word < count; word++) {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    words[word]! &= kept === 0 ? 0 : -1 << (32 - kept);
  }
}
