import { asciiOf } from "../base/platform.js";

const DOT = 46;
const COLON = 58;

/** Version of a parsed address; 0 means that the text is not an IP address. */
export type IpVersion = 0 | 4 | 6;

/**
 * Parses an IP address into `words`: one word for IPv4, four for IPv6, most significant first.
 *
 * An IPv4-mapped IPv6 address is read as IPv4, and a zone (`%eth0`) is dropped; other embeddings
 * stay IPv6. Only the strict forms are accepted: no octal, no hex, no short IPv4, no port, no
 * brackets, no whitespace.
 */
export function parseIp(text: string, words: Uint32Array): IpVersion {
  if (text === latest) {
    if (latestVersion === 6) words.set(latestWords);
    else words[0] = latestWords[0]!;
    return latestVersion;
  }
  const v4 = parseIpv4(text, 0, text.length);
  if (v4 >= 0) {
    words[0] = v4;
    return 4;
  }
  if (!parseIpv6(text, words)) return 0;
  if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff) {
    words[0] = words[3]!;
    return 4;
  }
  return 6;
}

/**
 * Returns the normal form of an address: dotted IPv4, or IPv6 in the form of RFC 5952. Two texts
 * denote the same address if and only if their normal forms are equal.
 *
 * @returns Undefined if the value is not a string with one IP address.
 */
export function normalizeIp(value: unknown): string | undefined {
  // The longest address with the longest usual zone fits in 64 characters.
  if (typeof value !== "string" || value.length > 64) return undefined;
  if (value === latest) return latest;
  const version = parseIp(value, scratch);
  if (version === 0) return undefined;
  latest = version === 4 ? formatIpv4(scratch[0]!) : formatIpv6(scratch);
  latestVersion = version;
  latestWords.set(scratch);
  return latest;
}

// Parsing is synchronous and never re-entered, so every call can share one scratch buffer.
const scratch = new Uint32Array(4);

/** The latest value and its normal form: all parts of a gate read the same address in sequence. */
let latest = "";
let latestVersion: IpVersion = 0;
const latestWords = new Uint32Array(4);

/** Parses dotted IPv4 text between two positions; -1 if it is invalid. */
function parseIpv4(text: string, from: number, to: number): number {
  if (to - from < 7 || to - from > 15) return -1;
  let value = 0;
  let part = -1;
  let dots = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (part < 0) return -1;
      value = value * 256 + part;
      part = -1;
      dots++;
    } else {
      const digit = code - 48;
      // Some parsers read a leading zero as octal, so it is rejected, as Node does.
      if (digit < 0 || digit > 9 || part === 0) return -1;
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return -1;
    }
  }
  return dots === 3 && part >= 0 ? value * 256 + part : -1;
}

/** Characters that Node's `isIP` accepts in an interface name. */
const ZONE = /^[0-9A-Za-z.:-]+$/;

const groups = new Uint16Array(8);

/** Parses RFC 4291 text, with an optional dotted IPv4 part and an optional zone. */
function parseIpv6(text: string, words: Uint32Array): boolean {
  const zone = text.indexOf("%");
  if (zone >= 0 && !ZONE.test(text.slice(zone + 1))) return false;
  const end = zone < 0 ? text.length : zone;
  // The longest form without a zone has 45 characters: six groups and a dotted IPv4 part.
  if (end < 2 || end > 45) return false;

  let count = 0;
  let gap = -1;
  let at = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    gap = 0;
    at = 2;
  }
  while (at < end) {
    if (count === 8) return false;
    const start = at;
    let value = 0;
    let code = 0;
    for (; at < end; at++) {
      code = text.charCodeAt(at);
      // Every character allowed here is ASCII.
      const digit = code < 128 ? HEX_DIGITS[code]! : NO_DIGIT;
      if (digit === NO_DIGIT) break;
      value = value * 16 + digit;
    }
    if (at < end && code === DOT) {
      const tail = parseIpv4(text, start, end);
      if (tail < 0 || count > 6) return false;
      groups[count++] = tail >>> 16;
      groups[count++] = tail & 0xffff;
      break;
    }
    if (at === start || at > start + 4) return false;
    groups[count++] = value;
    if (at === end) break;
    if (code !== COLON) return false;
    at++;
    if (at === end) return false;
    if (text.charCodeAt(at) === COLON) {
      if (gap >= 0) return false;
      gap = count;
      at++;
    }
  }
  if (gap < 0 ? count !== 8 : count > 7) return false;

  if (gap >= 0) {
    // Move the groups after the gap to the end, and fill the gap with zeros.
    let to = 8;
    while (count > gap) groups[--to] = groups[--count]!;
    while (to > gap) groups[--to] = 0;
  }
  for (let word = 0; word < 4; word++) {
    words[word] = groups[2 * word]! * 0x10000 + groups[2 * word + 1]!;
  }
  return true;
}

const DIGITS = "0123456789abcdef";

const NO_DIGIT = 16;

/** Values of hexadecimal digits, indexed by character code. */
const HEX_DIGITS = hexDigits();

function hexDigits(): Uint8Array {
  const digits = new Uint8Array(128).fill(NO_DIGIT);
  for (let value = 0; value < 16; value++) {
    digits[DIGITS.charCodeAt(value)] = value;
    digits[DIGITS.toUpperCase().charCodeAt(value)] = value;
  }
  return digits;
}

function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/** Output buffer for one address: at most eight groups and seven colons. */
const written = new Uint8Array(39);

/**
 * RFC 5952: lower case, no leading zeros, the first longest run of 2 or more zero groups
 * compressed.
 */
function formatIpv6(words: Uint32Array): string {
  let gap = -1;
  let gapLength = 1;
  let run = 0;
  for (let index = 0; index < 8; index++) {
    run = groupAt(words, index) === 0 ? run + 1 : 0;
    if (run > gapLength) {
      gap = index + 1 - run;
      gapLength = run;
    }
  }
  let length = 0;
  for (let index = 0; index < 8; index++) {
    if (index === gap) {
      written[length++] = COLON;
      if (gap + gapLength === 8) written[length++] = COLON;
      index += gapLength - 1;
      continue;
    }
    if (index > 0) written[length++] = COLON;
    const group = groupAt(words, index);
    let shift = group > 0xfff ? 12 : group > 0xff ? 8 : group > 0xf ? 4 : 0;
    for (; shift >= 0; shift -= 4) {
      written[length++] = DIGITS.charCodeAt((group >>> shift) & 15);
    }
  }
  return asciiOf(written, length);
}

function groupAt(words: Uint32Array, index: number): number {
  const word = words[index >> 1]!;
  return index % 2 === 0 ? word >>> 16 : word & 0xffff;
}
