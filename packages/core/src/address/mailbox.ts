import { utf8Length } from "../base/platform.js";
import { normalizeDomain } from "./domain-name.js";
import { domainOf, emailProblem } from "./email-address.js";
import { normalizeIp } from "./ip-address.js";
import { type MailProvider, mailProviderOf, OTHER_SEPARATORS } from "./mail-providers.js";

/**
 * Returns the normal form of a mailbox, which is the same for all spellings of one mailbox. Letters
 * are lower-cased and in NFKC form (full-width letters become ordinary ones), and the domain is as
 * `normalizeDomain` returns it; whitespace, comments, quotes and a display name are dropped.
 * `providerRules` also drops sub-addresses and other characters that the provider ignores
 * (`docs/mailboxes.md`).
 *
 * Text that may name several mailboxes never gets the form of any of them: a user must not be able
 * to transfer one account's history or ban to another by choosing its address. Text without a
 * mailbox, such as a login name, is returned trimmed.
 */
export function mailboxOf(text: string, providerRules: boolean = true): string {
  const readings = readingsOf(text, providerRules);
  if (readings.length > 1) return foldText(text);
  return readings[0] ?? text.trim();
}

/**
 * Returns every mailbox that the text may name, for deny lists. Mail programs parse malformed
 * addresses in different ways, and none of them may conceal a banned mailbox. The first result is
 * that of {@link mailboxOf}.
 */
export function mailboxesIn(text: string, providerRules: boolean = true): readonly string[] {
  const readings = readingsOf(text, providerRules);
  return readings.length === 1 ? readings : [mailboxOf(text, providerRules), ...readings];
}

/** Returns the distinct hosts of the mailboxes that the text may name, in normal form. */
export function hostsIn(text: string): readonly string[] {
  const hosts = readingsOf(text, false).map((mailbox) => normalizeHost(domainOf(mailbox)));
  return [...new Set(hosts)].filter((host) => host !== undefined);
}

/** Matches an address literal, with or without its brackets. Source: RFC 5321, section 4.1.3. */
const LITERAL = /^\[?\s*(?:ipv6:)?([\d.a-f:]+)\s*]?$/i;

/**
 * Returns the normal form of the text after an @: a domain, or an IP address in brackets such as
 * `[192.0.2.1]` or `[ipv6:2001:db8::1]`. Undefined for any other text.
 */
export function normalizeHost(text: string): string | undefined {
  const domain = normalizeDomain(text);
  const ip = domain ?? normalizeIp(LITERAL.exec(text)?.[1]);
  return domain ?? (ip && `[${ip.includes(":") ? "ipv6:" : ""}${ip}]`);
}

/** Returns true if a host or a domain above it is in a set. */
export function isWithin(host: string, domains: Pick<ReadonlySet<string>, "has">): boolean {
  for (let name = host; ; name = name.slice(name.indexOf(".") + 1)) {
    if (domains.has(name)) return true;
    if (!name.includes(".")) return false;
  }
}

/**
 * Maximum length of parsed text, in characters without surrounding whitespace. Longer addresses are
 * not deliverable, and parsing them would let anyone waste CPU time.
 */
const MAX_READ = 1_024;

/**
 * Returns true if the text is too long to be parsed. Deny lists treat it as listed, because it may
 * conceal any mailbox.
 */
export function isOverlong(text: string): boolean {
  return text.length > MAX_READ && text.trim().length > MAX_READ;
}

/**
 * Returns the email address to look up for a visitor's input, trimmed as handlers do. A text that
 * cannot be looked up, for example because of a long display name, is reduced to its mailboxes:
 * handlers send mail to them. Undefined if this is impossible too.
 */
export function usableEmail(text: string): string | undefined {
  const trimmed = text.trim();
  if (emailProblem(trimmed) === undefined) return trimmed;
  // Mailboxes that are too long receive no mail, and must not hide the others.
  const usable = readingsOf(trimmed, false).filter((one) => emailProblem(one) === undefined);
  const mailboxes = usable.join(", ");
  return emailProblem(mailboxes) === undefined ? mailboxes : undefined;
}

/** Local-part atoms and domain labels that all programs parse in the same way. */
const EXACT = /^(?!\.|.*\.[.@])[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@([\p{L}\p{M}\p{N}.-]+)$/u;

/** Longest local part, and longest address. Source: RFC 5321, section 4.5.3.1. */
const MAX_LOCAL_BYTES = 64;
const MAX_BYTES = 320;

/**
 * Returns the text with its domain normalized if it is exactly one valid mailbox, for allow lists.
 * Undefined for any other text, even if a lenient parser would accept it.
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
const PLAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*@((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)$/;

/** An address literal in brackets, or a host that is not a domain name, such as `localhost`. */
const PLACE = /^(?:\[[^@[\]]+\]|[^\s"(),:;<>@[\\\]]+)$/;

/** Characters at which a program that ignores the syntax may split text into addresses. */
const BREAKS = /[\s"(),:;<>[\\\]]+/;

/** Returns the distinct mailboxes that the text may name, the one by RFC 5322 syntax first. */
function readingsOf(given: string, providerRules: boolean): readonly string[] {
  if (isOverlong(given)) return [];
  const text = given.trim();
  const [, plainDomain] = PLAIN.exec(text) ?? [];
  if (plainDomain !== undefined) {
    if (!providerRules) return [text];
    const [name, place] = accountOf(text.slice(0, -plainDomain.length - 1), plainDomain);
    return [place === plainDomain && text.startsWith(`${name}@`) ? text : `${name}@${place}`];
  }
  const folded = foldText(text);
  const found = new Set<string>();
  for (const [local, written] of addressesIn(folded)) {
    const host = written.replace(/\.+$/, "");
    const place = normalizeHost(host) ?? (PLACE.test(host) ? host : undefined);
    // An @ without a name or a host: programs differ in how they parse this text.
    found.add(local && place ? formOf(local, place, providerRules) : folded);
    // A domain in brackets is not an address literal, but some programs accept it.
    const domain = normalizeDomain(host.replace(/^\[|]$/g, ""));
    if (local && domain) found.add(formOf(local, domain, providerRules));
  }
  if (!BREAKS.test(folded)) return [...found];
  for (const piece of folded.split(BREAKS)) {
    const at = piece.lastIndexOf("@");
    const domain = at > 0 && normalizeDomain(piece.slice(at + 1).replace(/\.+$/, ""));
    if (domain) found.add(formOf(piece.slice(0, at), domain, providerRules));
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
 * Returns the addresses in the text as RFC 5322 defines them, including obsolete forms, but without
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

/** Builds a mailbox from a folded local part and a domain in its normal form. */
function formOf(local: string, domain: string, providerRules: boolean): string {
  const [name, place] = providerRules ? accountOf(local, domain) : [local, domain];
  // Removing whitespace may allow the remaining characters to compose.
  const composed = name.normalize("NFKC");
  const isQuoted = BREAKS.test(composed) || composed.includes("@");
  const written = isQuoted ? `"${composed.replace(/["\\]/g, "\\$&")}"` : composed;
  return `${written}@${place}`;
}

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
