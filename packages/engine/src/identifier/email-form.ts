import { hostsIn } from "@riskgate/core/address";
import { isAddrSpec } from "./addr-spec.js";

/**
 * Maximum length of local part and domain in bytes. Source: RFC 5321, sections 4.5.3.1.1 and
 * 4.5.3.1.2.
 */
const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_BYTES = 255;

const DOT = 46;
const QUOTE = 34;
const BACKSLASH = 92;

/** ASCII characters of an atom. Source: RFC 5322, section 3.2.3. */
const ATOM = asciiSet(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~",
);

export type EmailForm =
  | "plain"
  /** Well-formed by RFC 5322, but unlike addresses that people type or send mail to. */
  | "unusual"
  | "malformed";

/** Returns the form of an address. Source of "well-formed": RFC 5322, section 3.4.1. */
export function formOf(email: string): EmailForm {
  if (isPlain(email)) return hasMailHost(email) ? "plain" : "unusual";
  return isAddrSpec(email) ? "unusual" : "malformed";
}

/**
 * An address literal, or a label with an underscore or an outer hyphen, which no host has (RFC
 * 1123).
 */
const NO_HOST = /^\[|(?:^|\.)-|-(?:\.|$)|_/;

/**
 * Returns true if the domain can name a mail server on the internet: not `localhost` or a literal.
 */
function hasMailHost(email: string): boolean {
  const [host] = hostsIn(email);
  return host !== undefined && !NO_HOST.test(host);
}

/**
 * Returns true if the text is an `addr-spec` of RFC 5322 in its current form, without comments and
 * whitespace around its parts, and within the lengths of RFC 5321. Characters beyond ASCII count as
 * letters (RFC 6532).
 */
function isPlain(email: string): boolean {
  const at = email.charCodeAt(0) === QUOTE ? endOfQuoted(email) : endOfAtoms(email, 0);
  if (at < 1 || email[at] !== "@") return false;
  const domain = email.slice(at + 1);
  if (!isLiteral(domain) && (domain === "" || endOfAtoms(domain, 0) !== domain.length))
    return false;
  return isWithin(email.slice(0, at), MAX_LOCAL_BYTES) && isWithin(domain, MAX_DOMAIN_BYTES);
}

/** A character takes at most three bytes, so short text need not be counted. */
function isWithin(text: string, maxBytes: number): boolean {
  return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
}

/** Returns the end of the atoms joined by single dots that start here, or -1 if one is empty. */
function endOfAtoms(text: string, from: number): number {
  let at = from;
  let start = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (at === start) return -1;
      start = at + 1;
    } else if (!(isBeyondAscii(code) || ATOM[code] === 1)) break;
  }
  return at === start ? -1 : at;
}

/** Returns the end of the quoted string at the start of the text, or -1. Section 3.2.4. */
function endOfQuoted(text: string): number {
  for (let at = 1; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) code = text.charCodeAt(++at);
    if (!(isBeyondAscii(code) || isPrintable(code) || code === 32 || code === 9)) return -1;
  }
  return -1;
}

/** A domain literal, for example `[192.0.2.1]`. Section 3.4.1. */
function isLiteral(domain: string): boolean {
  const last = domain.length - 1;
  if (last < 1 || domain[0] !== "[" || domain[last] !== "]") return false;
  for (let at = 1; at < last; at++) {
    const code = domain.charCodeAt(at);
    // Brackets and the backslash are 91 to 93.
    if (!isBeyondAscii(code) && !(isPrintable(code) && (code < 91 || code > 93))) return false;
  }
  return true;
}

function isBeyondAscii(code: number): boolean {
  return code >= 0xa0;
}

function isPrintable(code: number): boolean {
  return code > 32 && code < 127;
}

function asciiSet(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) set[characters.charCodeAt(at)] = 1;
  return set;
}
