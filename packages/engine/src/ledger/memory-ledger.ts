import { RiskGateError } from "@riskgate/core";
import { type OptionReader, readOptions } from "@riskgate/core/adapter";
import { destinationOf, mailboxesIn, mailboxOf, parseIp } from "@riskgate/core/address";
import type { History, Ledger, LedgerEvent } from "./ledger.js";
import { EventHistories } from "./event-histories.js";

const DAY_MS = 86_400_000;

export interface MemoryLedgerOptions {
  /** Maximum number of addresses and of accounts; default 100,000 each. */
  readonly maxEntries?: number;
  /** Time in which an event loses half its weight, in milliseconds; default 30 days. */
  readonly halfLifeMs?: number;
  /** How long events are stored, in milliseconds; default 365 days. */
  readonly retentionMs?: number;
  /**
   * Prefix length that identifies one IPv6 visitor: 64 by default, because a visitor can choose the
   * remaining bits, or 128.
   */
  readonly ipv6Prefix?: 128 | 64;
  /**
   * Whether sub-addresses, and other differences that a mail provider ignores, are one account, by
   * the table in `docs/mailboxes.md`; default true.
   */
  readonly providerRules?: boolean;
  /** Time of day in milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** Subject to erase: an address, an account, or both. */
export interface LedgerSubject {
  readonly ip?: string;
  readonly email?: string;
}

export interface MemoryLedger extends Ledger {
  /** @throws {RiskGateError} INVALID_ARGUMENT; nothing is then recorded. */
  record(event: LedgerEvent): void;
  /**
   * Records events from a database, oldest first. Skips events older than the retention.
   * @returns Number of recorded events.
   * @throws {RiskGateError} INVALID_ARGUMENT at the first invalid event.
   */
  replay(events: Iterable<LedgerEvent>): number;
  /**
   * Erases everything about an address and an account, in any spelling. If addresses count by their
   * /64, the whole network is erased.
   * @returns True if anything was recorded.
   * @throws {RiskGateError} INVALID_ARGUMENT
   */
  erase(subject: LedgerSubject): boolean;
  size(): { readonly ips: number; readonly emails: number };
}

/**
 * Creates a ledger in memory, which is lost when the process exits. All spellings of one mailbox
 * are one account (see `mailboxOf`).
 *
 * An address or account counts as a known attacker from its first high-risk event until the weight
 * of such events falls below a quarter of a new one: after a single event, for two half-lives. When
 * the ledger is full, the least recently active entry is evicted.
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function createMemoryLedger(options: MemoryLedgerOptions = {}): MemoryLedger {
  const settings = readOptions("createMemoryLedger", options, readLedgerOptions);
  return ledgerOver(createBooks(settings), settings);
}

export interface LedgerBooks {
  readonly ips: EventHistories;
  readonly emails: EventHistories;
}

export function createBooks(settings: LedgerSettings): LedgerBooks {
  return { ips: new EventHistories(settings), emails: new EventHistories(settings) };
}

export function ledgerOver(
  { ips, emails }: LedgerBooks,
  { ipv6Prefix, providerRules, now, ...settings }: LedgerSettings,
): MemoryLedger {
  const accountKey = (email: string): string => {
    if (typeof email === "string") return mailboxOf(email, providerRules);
    throw new RiskGateError("INVALID_ARGUMENT", "expected a string in `email`");
  };

  const record = ({ ip, email, highRisk = false, occurredAtMs }: LedgerEvent): boolean => {
    const address = ip === undefined ? undefined : addressKey(ip, ipv6Prefix);
    const account = email === undefined ? undefined : accountKey(email);
    const nowMs = now();
    const atMs = occurredAtMs === undefined ? nowMs : Math.min(instant(occurredAtMs), nowMs);
    if (atMs <= nowMs - settings.retentionMs) return false;
    if (address !== undefined) ips.add(address, atMs, highRisk);
    if (account !== undefined) emails.add(account, atMs, highRisk);
    // Otherwise entries that are never looked up would remain.
    ips.sweep(nowMs);
    emails.sweep(nowMs);
    return true;
  };

  return {
    record: (event) => void record(event),
    replay(events) {
      let remembered = 0;
      for (const event of events) remembered += Number(record(event));
      return remembered;
    },
    erase({ ip, email }) {
      const address = ip === undefined ? undefined : addressKey(ip, ipv6Prefix);
      const hadAddress = address !== undefined && ips.delete(address);
      const hadAccount = email !== undefined && emails.delete(accountKey(email));
      return hadAddress || hadAccount;
    },
    size: () => ({ ips: ips.size, emails: emails.size }),
    ipHistory(ip) {
      const host = ip.startsWith("64:ff9b::") ? destinationOf(ip)! : ip;
      return ips.history(ipv6Prefix === 128 ? host : networkKey(host), now());
    },
    emailHistory(email) {
      // A known attacker must not hide behind a second mailbox in the same text.
      const found = mailboxesIn(email, providerRules).map((one) => emails.history(one, now()));
      return found.reduce((worst, one) => (weightOf(one) > weightOf(worst) ? one : worst));
    },
  };
}

function weightOf(history: History | undefined): number {
  return (history?.weight ?? 0) + (history?.is_known_attacker ? Infinity : 0);
}

function addressKey(ip: string, ipv6Prefix: 128 | 64): string {
  const address = destinationOf(ip);
  if (address !== undefined) return ipv6Prefix === 128 ? address : networkKey(address);
  throw new RiskGateError("INVALID_ARGUMENT", "expected an IP address in `ip`");
}

const words = new Uint32Array(4);

/** Returns the /64 of an IPv6 address in normal form, or an IPv4 address unchanged. */
function networkKey(ip: string): string {
  return ip.includes(":") && parseIp(ip, words) === 6 ? `${words[0]}:${words[1]}` : ip;
}

function instant(atMs: number): number {
  if (Number.isFinite(atMs) && atMs >= 0) return atMs;
  throw new RiskGateError("INVALID_ARGUMENT", "expected Unix milliseconds in `occurredAtMs`");
}

export type LedgerSettings = Required<MemoryLedgerOptions>;

/** Reads the options for {@link createMemoryLedger}. @throws {RiskGateError} CONFIG_INVALID */
export function readLedgerOptions(options: OptionReader): LedgerSettings {
  const prefix = options.value("ipv6Prefix", 64);
  return {
    maxEntries: options.integer("maxEntries", 100_000),
    halfLifeMs: options.integer("halfLifeMs", 30 * DAY_MS),
    retentionMs: options.integer("retentionMs", 365 * DAY_MS),
    ipv6Prefix:
      prefix === 128 || prefix === 64 ? prefix : options.refuse("ipv6Prefix", "128 or 64", prefix),
    providerRules: options.boolean("providerRules", true),
    now: options.function<() => number>("now") ?? Date.now,
  };
}
