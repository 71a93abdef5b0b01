import { monotonicMs } from "../base/clock.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { isOverlong, mailboxOf, mailboxesIn } from "../address/mailbox.js";
import { readOptions } from "../base/options.js";
import { typeName } from "../base/type-name.js";
import { identifiersIn } from "../model/user-identifiers.js";
import { BlockEntries } from "./block-entries.js";

/** The part of a `security_response` that lists subjects to block. */
interface BlockInstruction {
  readonly properties: {
    readonly ips: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers: readonly (string | object)[];
    /** Duration in seconds; not part of the specification. */
    readonly duration_seconds?: unknown;
  };
}

/** Addresses and identifiers that are temporarily rejected, without any lookup. */
export interface BlockList {
  /**
   * Blocks the subjects of a security response: call this in the webhook's `security_response`
   * handler. Entries of `ips` that are not networks are ignored and reported.
   *
   * @param durationMs Duration in milliseconds; by default `properties.duration_seconds` from the
   * response, from 1 second to 30 days, or else the list's `durationMs`.
   * @returns Number of entries added or renewed.
   * @throws {RiskGateError} INVALID_ARGUMENT for any other value.
   */
  apply(response: BlockInstruction, durationMs?: number): number;
  /**
   * Blocks one IP address, network or identifier such as an email address.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for any other text, such as a misspelled network.
   */
  block(subject: string, durationMs?: number): void;
  /** @throws {RiskGateError} INVALID_ARGUMENT, like `block`. */
  unblock(subject: string): void;
  blocksIp(ip: string): boolean;
  /** True for every spelling of a blocked mailbox. */
  blocksEmail(email: string): boolean;
  readonly size: number;
}

export interface BlockListOptions {
  /** Duration of an entry, in milliseconds; default 1 hour. */
  durationMs?: number;
  /** Maximum number of entries; the least recently used one is evicted. Default 100,000. */
  maxEntries?: number;
  /**
   * Ignore sub-addresses and other differences that a mail provider ignores (`docs/mailboxes.md`);
   * default true.
   */
  providerRules?: boolean;
  /** Receives errors about ignored parts of a security response; by default a warning every 10 seconds. */
  onError?: ErrorHook;
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Creates an in-memory block list, to be shared by a gate (`blockList`) and a webhook route.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createBlockList(options: BlockListOptions = {}): BlockList {
  const settings = readOptions("createBlockList", options, (reader) => ({
    // Not limited to the longest timer delay, because entries expire without a timer.
    usualMs: reader.integer("durationMs", 3_600_000),
    max: reader.integer("maxEntries", 100_000),
    providerRules: reader.boolean("providerRules", true),
    report: createErrorReport(reader.function<ErrorHook>("onError")),
    now: reader.function<() => number>("now") ?? monotonicMs,
  }));
  const { usualMs, max, providerRules, report, now } = settings;
  const entries = new BlockEntries(max, now);

  const identifierKey = (identifier: string): string => `@${mailboxOf(identifier, providerRules)}`;
  const keyOf = (subject: string): string => {
    checkSubject(subject);
    const key = entries.networkKey(subject);
    if (key !== undefined) return key;
    if (!MISSPELLED.test(subject)) return identifierKey(subject);
    throw wrongArgument("an IP address, a network or an identifier, given a misspelled network");
  };
  const untilOf = (durationMs: number | undefined): number =>
    now() + readOptions("block", { durationMs }, (given) => given.integer("durationMs", usualMs));

  return {
    apply(response, givenMs) {
      const { ips, identifiers, usually } = instructionOf(response);
      const until = untilOf(givenMs ?? usually);
      const networks = ips.map((ip) => entries.networkKey(ip)).filter((key) => key !== undefined);
      if (networks.length < ips.length) report(notNetworks(ips.length - networks.length));
      // Users choose their identifiers: one named 0.0.0.0/0 must not block every address.
      const keys = [...networks, ...identifiers.map(identifierKey)];
      for (const key of keys) entries.block(key, until);
      return keys.length;
    },
    block(subject, durationMs) {
      const key = keyOf(subject);
      entries.block(key, untilOf(durationMs));
    },
    unblock: (subject) => entries.unblock(keyOf(subject)),
    blocksIp(ip) {
      checkText(ip, "an IP address");
      return entries.size > 0 && entries.hasIp(ip);
    },
    blocksEmail(email) {
      checkText(email, "an email address");
      if (entries.size === 0) return false;
      if (isOverlong(email)) return true;
      return mailboxesIn(email, providerRules).some((mailbox) => entries.has(`@${mailbox}`));
    },
    get size() {
      return entries.size;
    },
  };
}

/** Text that looks like an address or a network, but is neither. */
const MISSPELLED = /^(?=.*[./:*])[\d./:*-]+$|^[\da-f.]*:[\da-f.]*:[\da-f.:]*(?:[/%].*)?$/i;

function instructionOf(response: Partial<BlockInstruction> | null | undefined): {
  readonly ips: readonly string[];
  readonly identifiers: readonly string[];
  readonly usually: number | undefined;
} {
  const { properties } = response ?? {};
  const { ips, user_identifiers: users, duration_seconds: seconds } = properties ?? {};
  if (!Array.isArray(ips) || !Array.isArray(users)) {
    throw wrongArgument("a security response as its handler receives it");
  }
  return {
    ips: (ips as ({ ip_cidr?: unknown } | null)[]).map((entry) => String(entry?.ip_cidr)),
    identifiers: identifiersIn(users),
    usually: durationOf(seconds),
  };
}

function checkSubject(subject: unknown): void {
  checkText(subject, "an IP address, a network or an identifier");
  if ((subject as string).trim() === "") throw wrongArgument("an identifier, given only blanks");
}

function checkText(value: unknown, expected: string): void {
  if (typeof value !== "string") throw wrongArgument(`${expected}, given ${typeName(value)}`);
}

function wrongArgument(expected: string): RiskGateError {
  return new RiskGateError("INVALID_ARGUMENT", `expected ${expected}`);
}

function notNetworks(count: number): RiskGateError {
  const message = `ignored ${count} of the \`ips\` of a security response: not a network`;
  return new RiskGateError("INVALID_ARGUMENT", message, {
    hint: "Correct each `ip_cidr` of the sender: these blocked nothing",
  });
}

/** Longest duration that a sender can request, in seconds: 30 days. */
const MAX_SECONDS = 30 * 24 * 3600;

/**
 * Returns the duration in a response, in milliseconds; the specification does not define this
 * member. Undefined for any value that is not a number above 0, so that the list's default applies.
 */
function durationOf(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || !(seconds > 0)) return undefined;
  return Math.ceil(Math.min(Math.max(seconds, 1), MAX_SECONDS) * 1000);
}
