import { monotonicMs } from "../base/clock.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { parseCidr } from "../address/cidr.js";
import { destinationOf } from "../address/host-address.js";
import { normalizeIp } from "../address/ip-address.js";
import { isOverlong, mailboxOf, mailboxesIn } from "../address/mailbox.js";
import { readOptions } from "../base/options.js";
import { createLru } from "../base/platform.js";
import { typeName } from "../base/type-name.js";
import { identifiersIn } from "../model/user-identifiers.js";
import { BlockEntries } from "./block-entries.js";
import type { BlockStore } from "./block-store.js";
import { SharedBlocks } from "./shared-blocks.js";

/** The part of a `security_response` that lists subjects to block. */
interface BlockInstruction {
  /** When it was made; without it, the time at which it is applied. */
  readonly date_created?: unknown;
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
   * handler. Entries of `ips` that are not networks are ignored and reported. A response that was made
   * before the latest change of a subject does not change it, in whichever order they arrive.
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

/** A block list that shares its entries with other processes through a store. */
export interface SharedBlockList extends BlockList {
  /** Resolves when the blocks in force have been read; call it before the server listens. */
  ready(): Promise<void>;
  /**
   * Resolves when the store holds every block of this process so far: wait for it in a webhook's
   * handler, so that the delivery is repeated if the store fails.
   *
   * @throws {RiskGateError} STORE_FAILED, by rejection.
   */
  saved(): Promise<void>;
  /** Stops following the store. The last known blocks remain. */
  close(): void;
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
  /**
   * Shares the entries with other processes, and keeps them when this one ends. Every lookup still
   * reads a copy in memory; changes arrive within two seconds.
   */
  store?: BlockStore | undefined;
  /** Receives errors of the store, and about ignored parts of a security response; by default a warning every 10 seconds. */
  onError?: ErrorHook;
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Creates a block list, to be shared by a gate (`blockList`) and a webhook route. With a `store`, it
 * is shared by all processes that use the same one.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createBlockList(
  options: BlockListOptions & { readonly store: BlockStore },
): SharedBlockList;
export function createBlockList(options?: BlockListOptions): BlockList;
export function createBlockList(options: BlockListOptions = {}): BlockList | SharedBlockList {
  const settings = readOptions("createBlockList", options, (reader) => ({
    // Not limited to the longest timer delay, because entries expire without a timer.
    usualMs: reader.integer("durationMs", 3_600_000),
    max: reader.integer("maxEntries", 100_000),
    providerRules: reader.boolean("providerRules", true),
    store: reader.object<BlockStore>("store", ["changes"], "a block store"),
    report: createErrorReport(reader.function<ErrorHook>("onError")),
    now: reader.function<() => number>("now") ?? monotonicMs,
  }));
  const { usualMs, max, providerRules, report, now, store } = settings;
  const own = new BlockEntries(max, now);
  const shared = store && new SharedBlocks(store, { max, now, report });
  const isLatest = createOrder(max);

  /** Without `decidedMs`, a change always applies. */
  const change = (given: Subjects, ms: number, decidedMs?: number): void => {
    const networks = given.networks
      .map(normalNetwork)
      .filter((network) => isLatest(network, decidedMs));
    const mailboxes = given.accounts
      .map((account) => mailboxOf(account, providerRules))
      .filter((mailbox) => isLatest(`@${mailbox}`, decidedMs));
    if (shared?.put(networks, mailboxes, ms, decidedMs)) return;
    const keys = [
      ...networks.flatMap((network) => own.networkKey(network) ?? []),
      ...mailboxes.map((mailbox) => `@${mailbox}`),
    ];
    for (const key of keys) {
      if (ms > 0) own.block(key, now() + ms);
      else own.unblock(key);
    }
  };
  const changeOne = (subject: string, ms: number): void => {
    checkSubject(subject);
    if (isNetwork(subject)) change({ networks: [subject], accounts: [] }, ms);
    else if (!MISSPELLED.test(subject)) change({ networks: [], accounts: [subject] }, ms);
    else
      throw wrongArgument("an IP address, a network or an identifier, given a misspelled network");
  };
  const durationFor = (durationMs: number | undefined): number =>
    readOptions("block", { durationMs }, (given) => given.integer("durationMs", usualMs));

  const list: BlockList = {
    apply(response, givenMs) {
      const { ips, identifiers, usually, decidedMs } = instructionOf(response);
      const ms = durationFor(givenMs ?? usually);
      const networks = ips.filter(isNetwork);
      if (networks.length < ips.length) report(notNetworks(ips.length - networks.length));
      // Users choose their identifiers: one named 0.0.0.0/0 must not block every address.
      change({ networks, accounts: identifiers }, ms, decidedMs);
      return networks.length + identifiers.length;
    },
    block: (subject, durationMs) => changeOne(subject, durationFor(durationMs)),
    unblock: (subject) => changeOne(subject, 0),
    blocksIp(ip) {
      checkText(ip, "an IP address");
      return (own.size > 0 && own.hasIp(ip)) || (shared !== undefined && shared.hasIp(ip));
    },
    blocksEmail(email) {
      checkText(email, "an email address");
      if (own.size === 0 && !shared?.size) return false;
      if (isOverlong(email)) return true;
      return mailboxesIn(email, providerRules).some(
        (mailbox) => own.has(`@${mailbox}`) || (shared !== undefined && shared.hasMailbox(mailbox)),
      );
    },
    get size() {
      return own.size + (shared?.size ?? 0);
    },
  };
  if (!shared) return list;
  // Defined by properties, so that `size` stays a getter.
  return Object.defineProperties(list, {
    ready: { value: () => shared.ready() },
    saved: { value: () => shared.saved() },
    close: { value: () => shared.close() },
  }) as SharedBlockList;
}

/** Creates a test for whether no later change of a subject is known, which then knows this one. */
function createOrder(max: number): (subject: string, decidedMs: number | undefined) => boolean {
  const decided = createLru<string, number>(max);
  return (subject, decidedMs) => {
    const knownMs = decided.get(subject) ?? 0;
    if (decidedMs !== undefined && decidedMs < knownMs) return false;
    decided.set(subject, Math.max(decidedMs ?? Date.now(), knownMs));
    return true;
  };
}

interface Subjects {
  readonly networks: readonly string[];
  readonly accounts: readonly string[];
}

const words = new Uint32Array(4);

function isNetwork(text: string): boolean {
  return parseCidr(text, words) !== undefined;
}

/** Returns one spelling for each network, so that all processes change the same entry. */
function normalNetwork(text: string): string {
  const cidr = parseCidr(destinationOf(text) ?? text, words);
  if (!cidr) return text;
  const bytes = [...words.subarray(0, cidr.version === 4 ? 1 : 4)];
  const address =
    cidr.version === 4
      ? bytes.flatMap((word) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255])
      : bytes.flatMap((word) => [(word >>> 16).toString(16), (word & 0xffff).toString(16)]);
  const spelled = address.join(cidr.version === 4 ? "." : ":");
  const short = normalizeIp(spelled) ?? spelled;
  // A network within a NAT64 prefix has no length as an IPv4 network.
  return `${cidr.version === 6 && !short.includes(":") ? spelled : short}/${cidr.length}`;
}

/** Text that looks like an address or a network, but is neither. */
const MISSPELLED = /^(?=.*[./:*])[\d./:*-]+$|^[\da-f.]*:[\da-f.]*:[\da-f.:]*(?:[/%].*)?$/i;

function instructionOf(response: Partial<BlockInstruction> | null | undefined): {
  readonly ips: readonly string[];
  readonly identifiers: readonly string[];
  readonly usually: number | undefined;
  readonly decidedMs: number;
} {
  const { properties, date_created: created } = response ?? {};
  const { ips, user_identifiers: users, duration_seconds: seconds } = properties ?? {};
  if (!Array.isArray(ips) || !Array.isArray(users)) {
    throw wrongArgument("a security response as its handler receives it");
  }
  return {
    ips: (ips as ({ ip_cidr?: unknown } | null)[]).map((entry) => String(entry?.ip_cidr)),
    identifiers: identifiersIn(users),
    usually: durationOf(seconds),
    decidedMs: (typeof created === "string" && Date.parse(created)) || Date.now(),
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
