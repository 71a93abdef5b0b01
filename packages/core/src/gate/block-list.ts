import { LRUCache } from "lru-cache";
import { maskWords, parseCidr } from "../address/cidr.js";
import { monotonicMs } from "../base/clock.js";
import { foldEmail } from "../address/email-address.js";
import { parseIp } from "../address/ip-address.js";
import { readOptions } from "../base/options.js";

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
   * Block what a security response names: call this in the webhook's `security_response` handler.
   *
   * @param durationMs How long; by default `properties.duration_seconds` of the response, from
   * 1 second to 30 days, and without it the duration of the list.
   * @returns Number of entries added or renewed.
   */
  apply(response: BlockInstruction, durationMs?: number): number;
  /** Block one IP address, network or identifier such as an email address. */
  block(subject: string, durationMs?: number): void;
  unblock(subject: string): void;
  blocksIp(ip: string): boolean;
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
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Make a block list in memory, to be shared by a gate (`blockList`) and a webhook route.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createBlockList(options: BlockListOptions = {}): BlockList {
  const { usualMs, max, now } = readOptions("createBlockList", options, (reader) => ({
    // Not limited to what a timer can wait for: no timer waits for the end of an entry.
    usualMs: reader.integer("durationMs", 3_600_000),
    max: reader.integer("maxEntries", 100_000),
    now: reader.function<() => number>("now") ?? monotonicMs,
  }));
  const untilMs = new LRUCache<string, number>({ max });
  // Prefix lengths ever used: an address is looked up once for each, and nearly always that is one.
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  const words = new Uint32Array(4);

  /** Key of an entry; the first `length` bits of an address, or the text of an identifier. */
  const networkKey = (version: 4 | 6, length: number): string =>
    `${length}/${version === 4 ? words[0] : words.join(".")}`;
  const identifierKey = (identifier: string): string => `@${foldEmail(identifier)}`;
  const keyOf = (subject: string): string => {
    const cidr = parseCidr(subject, words);
    return cidr ? networkKey(cidr.version, cidr.length) : identifierKey(subject);
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

  const list: BlockList = {
    apply({ properties }, durationMs = durationOf(properties.duration_seconds)) {
      const networks = properties.ips.filter(({ ip_cidr }) => ip_cidr !== "");
      const identifiers = properties.user_identifiers
        .flatMap((identifier): unknown[] =>
          typeof identifier === "string" ? [identifier] : Object.values(identifier),
        )
        .filter((identifier) => typeof identifier === "string" && identifier !== "");
      for (const { ip_cidr } of networks) list.block(ip_cidr, durationMs);
      const until = untilOf(durationMs);
      // Users choose their names: one called 0.0.0.0/0 must not block every address.
      for (const identifier of identifiers) untilMs.set(identifierKey(identifier as string), until);
      return networks.length + identifiers.length;
    },
    block(subject, durationMs) {
      const until = untilOf(durationMs);
      const cidr = parseCidr(subject, words);
      if (cidr) lengths[cidr.version].add(cidr.length);
      untilMs.set(keyOf(subject), until);
    },
    unblock(subject) {
      untilMs.delete(keyOf(subject));
    },
    blocksIp(ip) {
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
      return untilMs.size > 0 && holds(identifierKey(email));
    },
    get size() {
      return untilMs.size;
    },
  };
  return list;
}

/** Longest time that a sender can have something blocked, in seconds: 30 days. */
const MAX_SECONDS = 30 * 24 * 3600;

/**
 * Duration of a response, in milliseconds; the specification has no such member. Undefined for
 * anything but a number above 0, so that the duration of the list counts.
 */
function durationOf(seconds: unknown): number | undefined {
  if (typeof seconds !== "number" || !(seconds > 0)) return undefined;
  return Math.ceil(Math.min(Math.max(seconds, 1), MAX_SECONDS) * 1000);
}
