import { createLru } from "../base/lru.js";
import { maskWords, parseCidr } from "../address/cidr.js";
import { monotonicMs } from "../base/clock.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { parseIp } from "../address/ip-address.js";
import { isOverlong, mailboxOf, mailboxesIn } from "../address/mailbox.js";
import { readOptions } from "../base/options.js";
import { typeName } from "../base/type-name.js";

/** The part of a `security_response` that names what to block. */
interface BlockInstruction {
  readonly properties: {
    readonly ips: readonly { readonly ip_cidr: string }[];
    readonly user_identifiers: readonly (string | object)[];
    /** How long, in seconds; not part of the specification. */
    readonly duration_seconds?: unknown;
  };
}

/** Addresses and identifiers that are refused for a while, without any lookup. */
export interface BlockList {
  /**
   * Blocks the subjects of a security response: call this in the webhook's `security_response` handler.
   * An entry of its `ips` that is not a network is ignored and reported.
   *
   * @param durationMs How long; by default `properties.duration_seconds` of the response, from
   * 1 second to 30 days, and without it the duration of the list.
   * @returns Number of entries added or renewed.
   * @throws {RiskGateError} INVALID_ARGUMENT if it is not a security response.
   */
  apply(response: BlockInstruction, durationMs?: number): number;
  /**
   * Block one IP address, network or identifier such as an email address.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for any other text, for example a misspelled network.
   */
  block(subject: string, durationMs?: number): void;
  /** @throws {RiskGateError} INVALID_ARGUMENT, as `block`. */
  unblock(subject: string): void;
  blocksIp(ip: string): boolean;
  /** True for every spelling of a blocked mailbox. */
  blocksEmail(email: string): boolean;
  /** Number of entries, some of which may have ended. */
  readonly size: number;
}

/** Options of {@link createBlockList}. */
export interface BlockListOptions {
  /** How long an entry counts, in milliseconds; default 1 hour. */
  durationMs?: number;
  /** Most entries; the least recently used one is evicted. Default 100,000. */
  maxEntries?: number;
  /**
   * Whether sub-addresses and what else a mail provider ignores make no difference, by the table in
   * `docs/mailboxes.md`; default true.
   */
  providerRules?: boolean;
  /** Receives what was ignored in a security response; by default a warning every 10 seconds. */
  onError?: ErrorHook;
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Make a block list in memory, to be shared by a gate (`blockList`) and a webhook route.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createBlockList(options: BlockListOptions = {}): BlockList {
  const settings = readOptions("createBlockList", options, (reader) => ({
    // Not limited to the longest timer, because no timer waits for the end of an entry.
    usualMs: reader.integer("durationMs", 3_600_000),
    max: reader.integer("maxEntries", 100_000),
    providerRules: reader.boolean("providerRules", true),
    report: createErrorReport(reader.function<ErrorHook>("onError")),
    now: reader.function<() => number>("now") ?? monotonicMs,
  }));
  const { usualMs, max, providerRules, report, now } = settings;
  const untilMs = createLru<string, number>(max);
  // Prefix lengths ever used: an address is looked up once for each, and nearly always that is one.
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  const words = new Uint32Array(4);

  /** Key of an entry; the first `length` bits of an address, or the text of an identifier. */
  const networkKey = (version: 4 | 6, length: number): string =>
    `${length}/${version === 4 ? words[0] : words.join(".")}`;
  const identifierKey = (identifier: string): string => `@${mailboxOf(identifier, providerRules)}`;
  /** The same for a subject that is not a network. */
  const identifierOf = (subject: string): string => {
    if (!MISSPELLED.test(subject)) return identifierKey(subject);
    throw wrongArgument("an IP address, a network or an identifier, given a misspelled network");
  };
  /** Blocks a network until then; returns false if it is not a network. */
  const blockNetwork = (text: string, until: number): boolean => {
    const cidr = parseCidr(text, words);
    if (!cidr) return false;
    lengths[cidr.version].add(cidr.length);
    untilMs.set(networkKey(cidr.version, cidr.length), until);
    return true;
  };
  const untilOf = (durationMs: number | undefined): number =>
    now() + readOptions("block", { durationMs }, (given) => given.integer("durationMs", usualMs));
  const holds = (key: string): boolean => {
    const until = untilMs.get(key);
    if (until === undefined) return false;
    if (until > now()) return true;
    untilMs.delete(key);
    return false;
  };

  return {
    apply(response, givenMs) {
      const { ips, identifiers, usually } = instructionOf(response);
      const durationMs = givenMs ?? usually;
      const until = untilOf(durationMs);
      const networks = ips.filter((ip) => blockNetwork(ip, until));
      if (networks.length < ips.length) report(notNetworks(ips.length - networks.length));
      // Users choose their names: one called 0.0.0.0/0 must not block every address.
      for (const identifier of identifiers) untilMs.set(identifierKey(identifier), until);
      return networks.length + identifiers.length;
    },
    block(subject, durationMs) {
      checkSubject(subject);
      const until = untilOf(durationMs);
      if (!blockNetwork(subject, until)) untilMs.set(identifierOf(subject), until);
    },
    unblock(subject) {
      checkSubject(subject);
      const cidr = parseCidr(subject, words);
      untilMs.delete(cidr ? networkKey(cidr.version, cidr.length) : identifierOf(subject));
    },
    blocksIp(ip) {
      checkText(ip, "an IP address");
      if (untilMs.size === 0) return false;
      const version = parseIp(ip, words);
      if (version === 0) return false;
      // From long to short, because each step clears more bits of the same words.
      const used = [...lengths[version]].sort((a, b) => b - a);
      return used.some((length) => {
        maskWords(words, version === 4 ? 1 : 4, length);
        return holds(networkKey(version, length));
      });
    },
    blocksEmail(email) {
      checkText(email, "an email address");
      if (untilMs.size === 0) return false;
      if (isOverlong(email)) return true;
      return mailboxesIn(email, providerRules).some((mailbox) => holds(`@${mailbox}`));
    },
    get size() {
      return untilMs.size;
    },
  };
}

/** Texts that look like an address or a network, but are not valid. */
const MISSPELLED = /^(?=.*[./:*])[\d./:*-]+$|^[\da-f.]*:[\da-f.]*:[\da-f.:]*(?:[/%].*)?$/i;

/** Subjects of a response, whose handler may have received any value. */
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
  const identifiers = (users as unknown[]).flatMap((user): unknown[] =>
    typeof user === "object" && user !== null ? Object.values(user) : [user],
  );
  return {
    ips: (ips as ({ ip_cidr?: unknown } | null)[]).map((entry) => String(entry?.ip_cidr)),
    identifiers: identifiers.filter((one): one is string => typeof one === "string" && one !== ""),
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
    hint: "Correct each `ip_cidr` at the sender: these blocked nothing",
  });
}

/** Longest time that a sender can have something blocked, in seconds: 30 days. */
const MAX_SECONDS = 30 * 24 * 3600;

/**
 * Duration of a response, in milliseconds; the specification has no such member. Undefined for
 * values other than a number above 0, so that the duration of the list counts.
 */
function durationOf(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || !(seconds > 0)) return undefined;
  return Math.ceil(Math.min(Math.max(seconds, 1), MAX_SECONDS) * 1000);
}
