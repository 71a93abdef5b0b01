import type { OptionReader } from "../base/options.js";
import type { VelocityEvent } from "../model/velocity.js";
import {
  VELOCITY_SUBJECTS,
  type VelocityKey,
  type VelocitySubject,
} from "../model/velocity-reading.js";

export interface VelocityLimit {
  /** Up to this many events in the window are normal. */
  readonly from: number;
  /** This many or more add the full weight; in between, points grow in proportion. */
  readonly to: number;
  readonly weight: number;
}

/** Limit of an own subject. */
export interface VelocityKeyLimit extends VelocityLimit {
  /** Length of the sliding window, in milliseconds; default that of the velocity. */
  readonly windowMs: number;
}

/** A subject that is counted. */
export interface LimitedSubject {
  readonly name: VelocitySubject | VelocityKey;
  readonly limit: VelocityLimit;
  readonly windowMs: number;
}

type Defaults = Readonly<Record<VelocitySubject, VelocityLimit | false>>;

/**
 * Limits for one hour. An office, a campus or a carrier puts many people behind one address, and a
 * company uses one domain: an hour of their traffic stays below a refusal. Failed logins of others
 * never refuse the account's owner: an attacker could lock the owner out.
 */
const DEFAULTS: Readonly<Record<VelocityEvent, Defaults>> = {
  signups: {
    mailbox: { from: 2, to: 5, weight: 95 },
    mailbox_day: false,
    address: { from: 30, to: 300, weight: 90 },
    ipv4_24: { from: 100, to: 1_000, weight: 90 },
    ipv6_64: { from: 10, to: 60, weight: 95 },
    domain: { from: 50, to: 500, weight: 60 },
    asn: { from: 1_000, to: 10_000, weight: 30 },
  },
  failed_logins: {
    mailbox: { from: 5, to: 14, weight: 75 },
    // Two windows overlap a day: 100 guesses is the most that NIST SP 800-63B accepts.
    mailbox_day: { from: 25, to: 50, weight: 75 },
    address: { from: 15, to: 60, weight: 95 },
    ipv4_24: { from: 40, to: 200, weight: 90 },
    ipv6_64: { from: 10, to: 50, weight: 95 },
    domain: false,
    asn: { from: 1_000, to: 10_000, weight: 30 },
  },
};

/** Limits of a key, which identifies one person in most cases. */
const KEY_DEFAULT: VelocityLimit = { from: 2, to: 5, weight: 75 };

/** Windows in which the subject `mailbox_day` counts. */
const DAY_WINDOWS = 24;

/**
 * Reads the options `limits` and `windowMs`, with defaults for missing limits and members.
 * @param keys Names in the option `by`.
 */
export function readLimits(
  options: OptionReader,
  event: VelocityEvent,
  keys: readonly string[],
): readonly LimitedSubject[] {
  const windowMs = options.durationMs("windowMs", 3_600_000, { min: 1_000 });
  const group = options.group("limits");
  if (!group) return [];
  const builtIn = VELOCITY_SUBJECTS.flatMap((name): readonly LimitedSubject[] => {
    const usual = DEFAULTS[event][name];
    const given = group.value(name);
    if (given === false || (given === undefined && usual === false)) return [];
    const limit = readLimit(group.group(name), usual);
    const ms = name === "mailbox_day" ? DAY_WINDOWS * windowMs : windowMs;
    return limit ? [{ name, limit, windowMs: ms }] : [];
  });
  const own = keys.flatMap((key): readonly LimitedSubject[] => {
    const given = group.group(key);
    const limit = readLimit(given, KEY_DEFAULT);
    const ms = given?.durationMs("windowMs", windowMs, { min: 1_000 });
    return limit && ms ? [{ name: `by.${key}`, limit, windowMs: ms }] : [];
  });
  return [...builtIn, ...own];
}

function readLimit(
  options: OptionReader | undefined,
  usual: VelocityLimit | false,
): VelocityLimit | undefined {
  if (!options) return undefined;
  const required = (name: keyof VelocityLimit): number =>
    usual === false ? options.refuse(name, "set, without a default", undefined) : usual[name];
  const read = (name: keyof VelocityLimit, bounds: { min?: number; max?: number }): number =>
    options.value(name) === undefined ? required(name) : options.number(name, 0, bounds);
  const from = read("from", { min: 1 });
  const to = read("to", { min: 1 });
  if (to <= from) options.refuse("to", `above \`from\`, which is ${from}`, to);
  return { from, to, weight: read("weight", { max: 100 }) };
}

/** Returns the points for a count, 0 to the limit's weight. */
export function pointsOf(count: number, { from, to, weight }: VelocityLimit): number {
  if (count <= from) return 0;
  return Math.round(weight * Math.min(1, (count - from) / (to - from)));
}
