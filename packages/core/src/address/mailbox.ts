import { utf8Length } from "../base/platform.js";
import { normalizeDomain } from "./domain-name.js";
import { type MailProvider, mailProviderOf, OTHER_SEPARATORS } from "./mail-providers.js";

/**
 * Returns the normal form of a mailbox: texts that address the same mailbox have the same one.
 * Letters are lower-cased and in NFKC form (full-width letters become ordinary ones), and the
 * domain is as `normalizeDomain` returns it; whitespace, comments, quotes and a display name are
 * dropped. `providerRules` also drops sub-addresses and other characters that the provider ignores
 * (`docs/mailboxes.md`).
 *
 * A text that may name several mailboxes never gets the form of any of them: a user must not be
 * able to transfer one account's history or ban to another by choosing its address. A text without
 * a mailbox, such as a login name, is returned trimmed.
 */
export function mailboxOf(text: string, providerRules: boolean = true): string {
  const readings = readingsOf(text, providerRules);
  if (readings.length > 1) return foldText(text);
  return readings[0] ?? text.trim();
}

/**
 * Returns every mailbox that a text may name, for deny lists. Mail programs parse malformed
 * addresses in different ways, and none of them may conceal a banned mailbox. The first result is
 * that of {@link mailboxOf}.
 */
export function mailboxesIn(text: string, providerRules: boolean = true): readonly string[] {
  const readings = readingsOf(text, providerRules);
  return readings.length === 1 ? readings : [mailboxOf(text, providerRules), ...readings];
}

/**
 * Longest text that is parsed, in characters. Longer addresses are not deliverable, and parsing
 * them would let anyone waste CPU time.
 */
const MAX_READ = 1_024;

/**
 * Returns true if a text is too long to be parsed. Deny lists treat it as listed, because it may
 * conceal any mailbox.
 */
export function isOverlong(text: string): boolean {
  return text.length > MAX_READ;
}

/** Local-part atoms and domain labels that all programs parse in the same way. */
const EXACT =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\p{N}.-]+)$/u;

/** Longest local part, and longest address. Source: RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_BYTES = 64;
const MAX_BYTES = 320;

/**
 * Returns a text that is exactly one valid mailbox, with only its domain normalized, for allow
 * lists. Undefined for any other text, even if a lenient parser would accept it.
 */
export function exactMailbox(text: string): string | undefined {
  if (text.length > MAX_BYTES) return undefined;
  const [, written] = EXACT.exec(text) ?? [];
  if (written === undefined || written.endsWith(".")) return undefined;
  const local = text.slice(0, -written.length - 1);
  // NFKC may turn a character into an @ or a dot.
  if (utf8Length(local) > MAX_LOCAL_BYTES || text.normalize("NFKC") !== text) {
    return undefined;
  }
  const domain = normalizeDomain(written);
  return domain && `${local}@${domain}`;
}

/** Matches addresses that need no folding, parsing or trimming, as nearly all do. */
const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;

/** An address literal in brackets, or a host that is not a domain name, such as `localhost`. */
const PLACE = /^(?:\[[^@[\]]+\]|[^\s"(),:;<>@[\\\]]+)$/;

/** Only characters of a single address without whitespace. */
const SIMPLE = /^[^\s"(),:;<>[\\\]]+$/;

/** Characters at which a program that ignores the syntax may split a text into addresses. */
const BREAKS = /[\s"(),:;<>[\\\]]+/;

/** Returns the distinct mailboxes that a text may name, the one by RFC 5322 syntax first. */
function readingsOf(text: string, providerRules: boolean): readonly string[] {
  if (isOverlong(text)) return [];
  const [, plainDomain] = PLAIN.exec(text) ?? [];
  if (plainDomain !== undefined) {
    if (!providerRules) return [text];
    // Nearly every address already has this form.
    const [name, place] = accountOf(text.slice(0, -plainDomain.length - 1), plainDomain);
    return [place === plainDomain && text.startsWith(`${name}@`) ? text : `${name}@${place}`];
  }
  const folded = foldText(text);
  const found = new Set<string>();
  for (const [local, written] of addressesIn(folded)) {
    const domain = written.replace(/\.+$/, "");
    const place = normalizeDomain(domain) ?? (PLACE.test(domain) ? domain : undefined);
    // An @ without a name or a host: programs differ in how they parse this text.
    found.add(local && place ? formOf(local, place, providerRules) : folded);
  }
  if (SIMPLE.test(folded)) return [...found];
  for (const piece of folded.split(BREAKS)) {
    const at = piece.lastIndexOf("@");
    const domain = at > 0 ? normalizeDomain(piece.slice(at + 1).replace(/\.+$/, "")) : undefined;
    if (domain !== undefined) found.add(formOf(piece.slice(0, at), domain, providerRules));
  }
  return [...found];
}

/** Invisible characters that are never sent: non-whitespace controls, direction marks, joiners. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text in NFKC form and lower case, trimmed and without invisible characters. */
function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(INVISIBLE, "")
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .trim();
}

type Address = readonly [local: string, domain: string];

/**
 * Returns the addresses in a text as RFC 5322 defines them, including obsolete forms, but without
 * comments, quotes and whitespace. Punctuation ends display names, routes and list items. A part is
 * empty if that side of the @ is empty.
 */
function addressesIn(text: string): Address[] {
  const addresses: Address[] = [];
  let local: string | undefined;
  let part = "";
  const end = (isRoute: boolean): void => {
    if (local !== undefined && !(local === "" && isRoute)) addresses.push([local, part]);
    local = undefined;
    part = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) {
        if (text[at] === "\\") at++;
        part += text[at] ?? "";
      }
    } else if (character === "[") {
      const close = text.indexOf("]", at);
      const last = close < 0 ? text.length : close + 1;
      part += text.slice(at, last);
      at = last - 1;
    } else if (character === "(") {
      for (let depth = 1; depth > 0 && ++at < text.length;) {
        if (text[at] === "\\") at++;
        else if (text[at] === "(") depth++;
        else if (text[at] === ")") depth--;
      }
    } else if (character === "\\") part += text[++at] ?? "";
    else if (character === "@") {
      local = local === undefined ? part : `${local}@${part}`;
      part = "";
    } else if (",:;<>".includes(character)) end(character === "," || character === ":");
    else if (!/\s/.test(character)) part += character;
  }
  end(false);
  return addresses;
}

/** A local part that needs no quotes. */
const UNQUOTED = /^[^\s"(),:;<>@[\\\]]+$/;

/** Builds a mailbox from a folded local part and a domain in its normal form. */
function formOf(local: string, domain: string, providerRules: boolean): string {
  const [name, place] = providerRules ? accountOf(local, domain) : [local, domain];
  // Removing whitespace may allow the remaining characters to compose.
  const composed = name.normalize("NFKC");
  const written = UNQUOTED.test(composed) ? composed : `"${composed.replace(/["\\]/g, "\\$&")}"`;
  return `${written}@${place}`;
}

/** Returns the mailbox of an address by its provider's rules. */
function accountOf(local: string, domain: string): Address {
  const provider = mailProviderOf(domain);
  const above = domain.slice(domain.indexOf(".") + 1);
  if (!provider && mailProviderOf(above)?.hasSubDomains) {
    return [domain.slice(0, -above.length - 1), above];
  }
  return [nameWithin(local, provider), provider?.domains[0] ?? domain];
}

function nameWithin(local: string, provider: MailProvider | undefined): string {
  const separator = local.search(provider?.separators ?? OTHER_SEPARATORS);
  // A separator at the start does not begin a sub-address.
  const name = separator > 0 ? local.slice(0, separator) : local;
  return (provider?.alike && name.replace(...provider.alike)) || name;
}
