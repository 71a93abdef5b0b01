import { destinationOf } from "../address/host-address.js";
import { domainOf } from "../address/email-address.js";
import { normalizeDomain } from "../address/domain-name.js";
import { createIpTable } from "../address/ip-table.js";
import {
  exactMailbox,
  hostsIn,
  isOverlong,
  isWithin,
  mailboxesIn,
  normalizeHost,
} from "../address/mailbox.js";
import type { OptionReader } from "../base/options.js";

export interface SubjectList {
  hasIp(ip: string): boolean;
  /** True for a listed address, and for any address at a listed domain or its subdomains. */
  hasEmail(email: string): boolean;
}

interface EmailReading {
  /** Forms used to compare an email; none for an email that can never match. */
  readonly mailboxes: (email: string) => readonly string[];
  /** True if an email that cannot be parsed counts as listed. */
  readonly isListedUnread: (email: string) => boolean;
  /** Domains and address literals to compare. */
  readonly hosts: (email: string) => readonly string[];
}

const exactly = (email: string): readonly string[] => {
  const mailbox = exactMailbox(email);
  return mailbox === undefined ? [] : [mailbox];
};

/**
 * Reads an allow list. An email matches only if it is exactly one valid mailbox; only the spelling
 * of its domain may differ.
 *
 * @throws {RiskGateError} CONFIG_INVALID, as {@link readDenyList}.
 */
export function readAllowList(options: OptionReader, name: string): SubjectList | undefined {
  return readSubjectList(options, name, {
    mailboxes: exactly,
    hosts: (email) => exactly(email).map(domainOf),
    isListedUnread: () => false,
  });
}

/**
 * Reads a deny list. Every mailbox that an email may name is compared.
 *
 * @param providerRules Ignore differences in spelling that a mail provider ignores.
 * @returns Undefined if the option is missing or empty.
 * @throws {RiskGateError} CONFIG_INVALID for any other entry: an entry that never matches would
 * give false protection.
 */
export function readDenyList(
  options: OptionReader,
  name: string,
  providerRules: boolean,
): SubjectList | undefined {
  const mailboxes = (email: string) => mailboxesIn(email, providerRules);
  // The normal form of a mailbox may have a different domain than the email.
  const hosts = (email: string) => [...hostsIn(email), ...mailboxes(email).map(domainOf)];
  return readSubjectList(options, name, { mailboxes, hosts, isListedUnread: isOverlong });
}

function readSubjectList(
  options: OptionReader,
  name: string,
  { mailboxes, hosts, isListedUnread }: EmailReading,
): SubjectList | undefined {
  const networks: string[] = [];
  const emails = new Set<string>();
  const domains = new Set<string>();
  const entries = options.list(name) ?? [];
  for (const [position, entry] of entries.entries()) {
    const text = typeof entry === "string" ? entry : "";
    const domain = normalizeHost(text.replace(/^@/, ""));
    const [mailbox, ...others] = text.includes("*") ? [] : mailboxes(text);
    if (createIpTable([[text, 1]]).size === 1) networks.push(destinationOf(text) ?? text);
    else if (domain !== undefined) domains.add(domain);
    else if (mailbox && others.length === 0 && domainOf(mailbox) !== "") emails.add(mailbox);
    else options.refuse(`${name}[${position}]`, `${EXPECTED}${remedy(text)}`, entry);
  }
  if (entries.length === 0) return undefined;
  const table = createIpTable(networks.map((network) => [network, 1]));

  return {
    hasIp: (ip) => networks.length > 0 && table.marksOf(ip) > 0,
    hasEmail(email) {
      if (isListedUnread(email)) return emails.size + domains.size > 0;
      if (emails.size > 0 && mailboxes(email).some((mailbox) => emails.has(mailbox))) return true;
      return domains.size > 0 && hosts(email).some((host) => isWithin(host, domains));
    },
  };
}

const EXPECTED = "an IP address, a network, an email address or a domain";

function remedy(text: string): string {
  if (!text.includes("*")) return "";
  const domain = normalizeDomain(text.replace(/^.*@|^\*\./, ""));
  const advice = domain
    ? `write "${domain}" to cover all its addresses`
    : "write a network or a domain";
  return `, not a pattern (${advice})`;
}
