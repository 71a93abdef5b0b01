import { domainToASCII } from "node:url";

const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * The one spelling of a domain name: lower case, ASCII (`xn--` for other scripts), without the dot
 * at its end.
 *
 * @returns undefined for anything else, a single label included.
 */
export function normalizeDomain(text: string): string | undefined {
  // Nearly every domain is in this form already.
  if (isDomainName(text)) return text;
  const lower = text.toLowerCase().trim();
  const ascii = BEYOND_ASCII.test(lower) ? domainToASCII(lower) : lower;
  const domain = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  return isDomainName(domain) ? domain : undefined;
}

/** What stands behind the last @ of an email address, as it is written; nothing without one. */
export function domainIn(email: string): string {
  // Domains are short: from the end, this is several times as fast as `lastIndexOf`.
  let from = email.length;
  while (from > 0 && email.charCodeAt(from - 1) !== AT) from--;
  return from === 0 ? "" : email.slice(from);
}

const AT = 64;
const DOT = 46;

/** What a character of a label is; 0 for one that is in none. */
const DIGIT = 1;
const LETTER = 2;
const UNDERSCORE = 4;

const LABEL = new Uint8Array(128);
for (const character of "0123456789-") LABEL[character.charCodeAt(0)] = DIGIT;
for (const character of "abcdefghijklmnopqrstuvwxyz") LABEL[character.charCodeAt(0)] = LETTER;
LABEL["_".charCodeAt(0)] = UNDERSCORE;

/**
 * Labels of 1 to 63 characters joined by dots. The last one has a letter, so that no IPv4 address is
 * a domain name, and no underscore.
 */
function isDomainName(text: string): boolean {
  if (text.length > 253) return false;
  let start = 0;
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (at === start || at > start + 63) return false;
      start = at + 1;
      seen = 0;
    } else {
      const kind = code < 128 ? LABEL[code]! : 0;
      if (kind === 0) return false;
      seen |= kind;
    }
  }
  const isLastGood = (seen & (LETTER | UNDERSCORE)) === LETTER && text.length <= start + 63;
  return start > 0 && isLastGood;
}
