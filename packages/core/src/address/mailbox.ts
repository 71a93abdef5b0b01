import { utf8Length } from "../base/platform.js";
import { normalizeDomain } from "./domain-name.js";
import { type MailProvider, mailProviderOf, OTHER_SEPARATORS } from "./mail-providers.js";

/**
 * The normal form of a mailbox: two texts at which the same mail arrives have the same one.
 *
 * Letters are compared without case and in their compatible form (full-width letters are ordinary
 * ones), the domain as `normalizeDomain` writes it; blanks, comments, quotes and a name around the
 * address are dropped. With `providerRules`, so are sub-addresses and whatever else the provider
 * ignores (`docs/mailboxes.md`).
 *
 * A text that may name several mailboxes is none of them: a user who chooses such an address must not
 * bring the history or the ban of that account upon another. A text without a mailbox, such as a login name,
 * stays as it is, but for blanks around it.
 */
export function mailboxOf(text: string, providerRules: boolean = true): string {
  const readings = readingsOf(text, providerRules);
  if (readings.length > 1) return foldText(text);
  return readings[0] ?? text.trim();
}

/**
 * Every mailbox that a text may name, for a list that refuses: mail programs read a malformed text
 * in different ways, and a banned mailbox must not hide in one of them. The first is {@link mailboxOf}.
 */
export function mailboxesIn(text: string, providerRules: boolean = true): readonly string[] {
  const readings = readingsOf(text, providerRules);
  return readings.length === 1 ? readings : [mailboxOf(text, providerRules), ...readings];
}

/**
 * Most characters of a text that is read: no mail arrives at a longer one, and a stranger must not
 * keep us busy with it.
 */
const MAX_READ = 1_024;

/**
 * Whether a text is too long to be read. To a list that refuses it counts as listed: what is hidden in
 * it is not known.
 */
export function isOverlong(text: string): boolean {
  return text.length > MAX_READ;
}

/** Atoms of a local part and labels of a domain, without what programs read in different ways. */
const EXACT =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{M}\p{N}.-]+)$/u;

/** Longest local part, and longest address. Source: RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_BYTES = 64;
const MAX_BYTES = 320;

/**
 * A text that is exactly one valid mailbox, with only its domain in the normal form: for a list
 * that lets through. Undefined for any other text, however well-meaning a reader can understand it.
 */
export function exactMailbox(text: string): string | undefined {
  if (text.length > MAX_BYTES) return undefined;
  const [, written] = EXACT.exec(text) ?? [];
  if (written === undefined || written.endsWith(".")) return undefined;
  const local = text.slice(0, -written.length - 1);
  // What changes in its compatible form may become an @ or a dot.
  if (utf8Length(local) > MAX_LOCAL_BYTES || text.normalize("NFKC") !== text) {
    return undefined;
  }
  const domain = normalizeDomain(written);
  return domain && `${local}@${domain}`;
}

/** Nothing that has to be folded, read, or cut off; nearly every address is so. */
const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;

/** An address in brackets, or another name than that of a domain, such as `localhost`. */
const PLACE = /^(?:\[[^@[\]]+\]|[^\s"(),:;<>@[\\\]]+)$/;

/** Nothing that makes a text more than one address without blanks. */
const SIMPLE = /^[^\s"(),:;<>[\\\]]+$/;

/** Where one address ends and another may begin, read by a program that knows no syntax. */
const BREAKS = /[\s"(),:;<>[\\\]]+/;

/** The different mailboxes that a text may name; the one that its syntax says comes first. */
function readingsOf(text: string, providerRules: boolean): readonly string[] {
  if (isOverlong(text)) return [];
  const [, plainDomain] = PLAIN.exec(text) ?? [];
  if (plainDomain !== undefined) {
    if (!providerRules) return [text];
    // Nearly every address is its own form: it is not written again.
    const [name, place] = accountOf(text.slice(0, -plainDomain.length - 1), plainDomain);
    return [place === plainDomain && text.startsWith(`${name}@`) ? text : `${name}@${place}`];
  }
  const folded = foldText(text);
  const found = new Set<string>();
  for (const [local, written] of addressesIn(folded)) {
    const domain = written.replace(/\.+$/, "");
    const place = normalizeDomain(domain) ?? (PLACE.test(domain) ? domain : undefined);
    // An @ without a name or a place: no program reads the text as the others do.
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

/** What is not seen and not sent: controls other than blanks, marks of direction, joiners. */
const INVISIBLE = /(?!\s)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The text in its compatible form and lower case, without what is not seen and blanks around it. */
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
 * The addresses in a text, as RFC 5322 reads it, with its obsolete forms: without comments, quotes
 * and blanks. Names, routes and each address of a list end at their punctuation. A part is empty where
 * nothing stands on that side of an @.
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

/** Put a mailbox together from a folded local part and a domain in its normal form. */
function formOf(local: string, domain: string, providerRules: boolean): string {
  const [name, place] = providerRules ? accountOf(local, domain) : [local, domain];
  // What is left of a text after blanks are taken out of it may compose in another order.
  const composed = name.normalize("NFKC");
  const written = UNQUOTED.test(composed) ? composed : `"${composed.replace(/["\\]/g, "\\$&")}"`;
  return `${written}@${place}`;
}

/** The account that an address belongs to, by the rules of its provider. */
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
  // A sub-address belongs to a name: without one the text is no sub-address.
  const name = separator > 0 ? local.slice(0, separator) : local;
  return (provider?.alike && name.replace(...provider.alike)) || name;
}
