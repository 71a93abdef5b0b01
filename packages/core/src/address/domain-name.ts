import { domainToAscii } from "../base/platform.js";

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** ASCII characters not allowed in a label. Node treats some of them as the end of a host name. */
const FOREIGN = /[\0-,/:-@[-^`{-\x7f]/;

/**
 * Returns the normal form of a domain name: lower case, ASCII (`xn--` for other scripts), without
 * the dot at its end.
 *
 * @returns Undefined for any other text, and for a single label.
 */
export function normalizeDomain(text: string): string | undefined {
  if (isDomain(text)) return text;
  const lower = text.toLowerCase().trim();
  if (FOREIGN.test(lower)) return undefined;
  const ascii = BEYOND_ASCII.test(lower) ? domainToAscii(lower) : lower;
  const domain = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  return isDomain(domain) ? domain : undefined;
}

const DOT = 46;

/** Character classes within a label; 0 for characters not allowed in one. */
const DIGIT = 1;
const LETTER = 2;
const UNDERSCORE = 4;

const LABEL = labelCharacters();

function labelCharacters(): Uint8Array {
  const label = new Uint8Array(128);
  for (const character of "0123456789-") label[character.charCodeAt(0)] = DIGIT;
  for (const character of "abcdefghijklmnopqrstuvwxyz") label[character.charCodeAt(0)] = LETTER;
  label["_".charCodeAt(0)] = UNDERSCORE;
  return label;
}

/**
 * Returns true for a domain name in normal form: labels of 1 to 63 characters joined by dots. The last
 * label has no underscore and at least one letter, which rules out IPv4 addresses.
 */
function isDomain(text: string): boolean {
  let end = text.length;
  let seen = 0;
  for (let at = text.length; at > 0; at--) {
    const code = text.charCodeAt(at - 1);
    if (code === DOT) {
      if (!isLabel(at, end)) return false;
      if (end === text.length && (seen & (LETTER | UNDERSCORE)) !== LETTER) return false;
      end = at - 1;
    } else {
      const kind = code < 128 ? LABEL[code]! : 0;
      if (kind === 0) return false;
      seen |= kind;
    }
  }
  return end < text.length && isLabel(0, end) && text.length <= 253;
}

function isLabel(start: number, end: number): boolean {
  return start < end && end - start <= 63;
}
