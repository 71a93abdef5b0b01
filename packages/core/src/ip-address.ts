/** Version of a parsed address; 0 means that the text is no IP address. */
export type IpVersion = 0 | 4 | 6;

/**
 * Parse an IP address into `words`: one word for IPv4, four for IPv6, most significant first.
 *
 * Addresses are values, so an IPv4-mapped IPv6 address is IPv4, and a zone (`%eth0`) is dropped;
 * no other embedding is unfolded. Only the strict forms count: no octal, no hex, no short IPv4, no
 * port, no brackets, no blanks.
 */
export function parseIp(text: string, words: Uint32Array): IpVersion {
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
 * The one spelling of an address: dotted IPv4, or IPv6 in the form of RFC 5952. Two texts are the
 * same address exactly when this gives the same string.
 *
 * @returns undefined for anything that is not the text of one IP address.
 */
export function normalizeIp(value: unknown): string | undefined {
  // 64 characters hold the longest address with the longest usual zone; more is never an address.
  if (typeof value !== "string" || value.length > 64) return undefined;
  const version = parseIp(value, scratch);
  if (version === 0) return undefined;
  return version === 4 ? formatIpv4(scratch[0]!) : formatIpv6(scratch);
}

// Parsing is synchronous and never re-entered, so that one scratch serves every call.
const scratch = new Uint32Array(4);

/** Value of a dotted IPv4 text between two positions, or -1. */
function parseIpv4(text: string, from: number, to: number): number {
  if (to - from < 7 || to - from > 15) return -1;
  let value = 0;
  let part = -1;
  let dots = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 46) {
      if (part < 0) return -1;
      value = value * 256 + part;
      part = -1;
      dots++;
    } else {
      const digit = code - 48;
      // A leading zero would be octal to some readers: refused, as everywhere in Node.
      if (digit < 0 || digit > 9 || part === 0) return -1;
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return -1;
    }
  }
  return dots === 3 && part >= 0 ? value * 256 + part : -1;
}

/** Characters that Node's own `isIP` takes for the name of an interface. */
const ZONE = /^[0-9A-Za-z.:-]+$/;

const groups = new Uint16Array(8);

/** Parse RFC 4291 text, with an optional dotted tail and an optional zone. */
function parseIpv6(text: string, words: Uint32Array): boolean {
  const zone = text.indexOf("%");
  if (zone >= 0 && !ZONE.test(text.slice(zone + 1))) return false;
  const end = zone < 0 ? text.length : zone;
  // The longest form without a zone has 45 characters: six groups and a dotted tail.
  if (end < 2 || end > 45) return false;

  let count = 0;
  let gap = -1;
  let at = 0;
  if (text.charCodeAt(0) === 58) {
    if (text.charCodeAt(1) !== 58) return false;
    gap = 0;
    at = 2;
  }
  while (at < end) {
    if (count === 8) return false;
    let value = 0;
    let digits = 0;
    const start = at;
    for (; at < end; at++) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      if (++digits > 4) return false;
      value = value * 16 + digit;
    }
    if (at < end && text.charCodeAt(at) === 46) {
      const tail = parseIpv4(text, start, end);
      if (tail < 0 || count > 6) return false;
      groups[count++] = tail >>> 16;
      groups[count++] = tail & 0xffff;
      at = end;
      break;
    }
    if (digits === 0) return false;
    groups[count++] = value;
    if (at === end) break;
    if (text.charCodeAt(at) !== 58) return false;
    at++;
    if (at < end && text.charCodeAt(at) === 58) {
      if (gap >= 0) return false;
      gap = count;
      at++;
    } else if (at === end) return false;
  }
  if (gap < 0 ? count !== 8 : count > 7) return false;

  if (gap >= 0) {
    // Move what stands behind the gap to the end and fill the gap with zeros.
    groups.copyWithin(8 - (count - gap), gap, count);
    groups.fill(0, gap, 8 - (count - gap));
  }
  for (let word = 0; word < 4; word++) {
    words[word] = groups[2 * word]! * 0x10000 + groups[2 * word + 1]!;
  }
  return true;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/** RFC 5952: lower case, no leading zeros, the first longest run of two or more zeros shortened. */
function formatIpv6(words: Uint32Array): string {
  const parts: string[] = [];
  let bestStart = -1;
  let bestLength = 1;
  let runStart = 0;
  for (let index = 0; index < 8; index++) {
    const word = words[index >> 1]!;
    const group = index % 2 === 0 ? word >>> 16 : word & 0xffff;
    parts.push(group.toString(16));
    if (group !== 0) runStart = index + 1;
    else if (index - runStart + 1 > bestLength) {
      bestStart = runStart;
      bestLength = index - runStart + 1;
    }
  }
  if (bestStart < 0) return parts.join(":");
  const head = parts.slice(0, bestStart).join(":");
  const tail = parts.slice(bestStart + bestLength).join(":");
  return `${head}::${tail}`;
}
