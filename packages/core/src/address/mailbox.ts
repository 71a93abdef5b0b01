import { utf8Length } from "../base/platform.js";
import { normalizeDomain } from "./domain-name.js";
import { type MailProvider, mailProviderOf, OTHER_SEPARATORS } from "./mail-providers.js";

/**
 * Returns the normal form of a mailbox: two texts that the same mail reaches have the same one.
 *
 * Letters are compared without case and in their compatible form (full-width letters are ordinary
 * ones), the domain as `normalizeDomain` writes it; blanks, comments, quotes and a name around the
 * address are dropped. `providerRules` also drops sub-addresses and other characters that the provider
 * ignores (`docs/mailboxes.md`).
 *
 * A text that may name several mailboxes gets the form of none of them: a user who chooses this
 * address must not bring the history or the ban of one account upon another. A text without a mailbox,
 * such as a login name, is returned without the blanks around it.
 */
export function mailboxOf(text: string, providerRules: boolean = true): string {
  const readings = readingsOf(text, providerRules);
  if (readings.length > 1) return foldText(text);
  return readings[0] ?? text.trim();
}

/**
 * Returns every mailbox that a text may name, for a list that refuses. Mail programs read a malformed
 * text in different ways, and a banned mailbox must not hide in one of them. The first one is the
 * result of {@link mailboxOf}.
 */
export function mailboxesIn(text: string, providerRules: boolean = true): readonly string[] {
  const readings = readingsOf(text, providerRules);
  return readings.length === 1 ? readings : [mailboxOf(text, providerRules), ...readings];
}

/**
 * Most characters of a text that is read. No mail reaches a longer address, and a stranger must not
 * keep us busy with it.
 */
const MAX_READ = 1_024;

/**
 * Returns true if a text is too long to be read. A list that refuses treats it as listed, because it
 * may hide any mailbox.
 */
export function isOverlong(text: string): boolean {
  return text.length > MAX_READ;
}

/** Atoms of a local part and labels of a domain that all programs read in the same way. */
const EXACT =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\p{N}.-]+)$/u;

/** Longest local part, and longest address. Source: RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_BYTES = 64;
const MAX_BYTES = 320;

/**
 * Returns a text that is exactly one valid mailbox, with only its domain in the normal form: for a list
 * that allows. Undefined for any other text, even if a lenient reader could understand it.
 */
export function exactMailbox(text: string): string | undefined {
  if (text.length > MAX_BYTES) return undefined;
  const [, written] = EXACT.exec(text) ?? [];
  if (written === undefined || written.endsWith(".")) return undefined;
  const local = text.slice(0, -written.length - 1);
  // A character may become an @ or a dot in its compatible form.
  if (utf8Length(local) > MAX_LOCAL_BYTES || text.normalize("NFKC") !== text) {
    return undefined;
  }
  const domain = normalizeDomain(written);
  return domain && `${local}@${domain}`;
}

/** Nothing to fold, parse or cut off: true for nearly every address. */
const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;

/** An address in brackets, or a host that is not a domain name, such as `localhost`. */
const PLACE = /^(?:\[[^@[\]]+\]|[^\s"(),:;<>@[\\\]]+)$/;

/** Only characters of a single address without blanks. */
const SIMPLE = /^[^\s"(),:;<>[\\\]]+$/;

/** Characters at which a program that ignores the syntax may split a text into addresses. */
const BREAKS = /[\s"(),:;<>[\\\]]+/;

/** Returns the different mailboxes that a text may name, first the one that its syntax names. */
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
    // An @ without a name or a host: each program reads this text in its own way.
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

/** Invisible characters that are not sent: controls other than blanks, direction marks, joiners. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text in its compatible form and lower case, without invisible characters and outer blanks. */
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
 * Returns the addresses in a text by RFC 5322, with its obsolete forms, but without comments, quotes
 * and blanks. Names, routes and each address of a list end at their punctuation. A part is empty if
 * that side of the @ is empty.
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
  // Without its blanks, the rest of a text may compose in another order.
  const composed = name.normalize("NFKC");
  const written = UNQUOTED.test(composed) ? composed : `"${composed.replace(/["\\]/g, "\\$&")}"`;
  return `${written}@${place}`;
}

/** Returns the mailbox of an address by the rules of its provider. */
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
  // Without a name in front, the text is not a sub-address.
  const name = separator > 0 ? local.slice(0, separator) : local;
  return (provider?.alike && name.replace(...provider.alike)) || name;
}
