import { type Awaitable, isThenable } from "../model/awaitable.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { normalizeDomain } from "../address/domain-name.js";
import { isLargeProvider } from "./large-providers.js";
import { createMemoryVelocityStore } from "./memory-store.js";
import type { Velocity, VelocityEvent, VelocityFacts } from "../model/velocity.js";
import {
  VELOCITY_SUBJECTS,
  type VelocityReading,
  type VelocitySignal,
  type VelocitySubject,
} from "../model/velocity-reading.js";
import { countedEvent } from "./velocity-counters.js";
import { pointsOf, readLimits, type VelocityLimit } from "./velocity-limits.js";
import type { Tally, VelocityStore } from "./velocity-store.js";

/** Options of {@link createVelocity}. */
export interface VelocityOptions {
  /**
   * Events to count; default `signups`: every request that a gate decides about, but the same email
   * from the same network only once. `failed_logins` are counted by a `loginWatch` with the same
   * velocity, and read by the gate.
   */
  readonly counts?: VelocityEvent;
  /**
   * Stores the counts; default in the memory of this process. While a shared store does not answer,
   * each process falls back to its own counts.
   */
  readonly store?: VelocityStore;
  /** Length of the sliding window, in milliseconds; default one hour. */
  readonly windowMs?: number;
  /**
   * Number of events above which each subject is suspicious, or `false` not to count it; the defaults,
   * for one hour, are in `docs/velocity.md`.
   */
  readonly limits?: Partial<
    Readonly<Record<VelocitySubject, Partial<Readonly<VelocityLimit>> | false>>
  >;
  /** More domains at which anybody can have a mailbox. */
  readonly largeProviders?: readonly string[];
}

/** Counters that a process keeps beside a shared store; about 10 MB. */
const ALONE_ENTRIES = 50_000;

/**
 * Makes a counter of visitors that come again under other names: the option `velocity` of a gate and of
 * a `loginWatch`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createVelocity(options: VelocityOptions = {}): Velocity {
  const { event, store, windowMs, limits, isLarge } = readOptions(
    "createVelocity",
    options,
    readVelocity,
  );
  const limited: readonly Limited[] = VELOCITY_SUBJECTS.flatMap((name) => {
    const limit = limits[name];
    return limit ? [{ name, limit, prefix: `${event}:${windowMs}:${name}:` }] : [];
  });

  const alone = store.isSync ? undefined : createMemoryVelocityStore({ maxEntries: ALONE_ENTRIES });

  const ask = (
    facts: VelocityFacts,
    adds: boolean,
    from: VelocityStore,
  ): Awaitable<VelocityReading | undefined> => {
    const { texts, spelling } = countedEvent(facts, isLarge);
    const asked: Limited[] = [];
    const counters: string[] = [];
    for (const one of limited) {
      const text = texts[one.name];
      if (text === undefined) continue;
      asked.push(one);
      counters.push(one.prefix + text);
    }
    if (asked.length === 0) return undefined;
    // The same form again is the same sign-up, but from another network it may be another visitor. Every
    // failed login counts.
    const network = texts.ipv4_24 ?? texts.ipv6_64 ?? "";
    const isOnce = event === "signups" && spelling !== undefined;
    const read = (counts: unknown): VelocityReading | undefined =>
      readingOf(asked, checked(counts, asked.length));
    try {
      const tally: Tally = isOnce
        ? { counters, windowMs, adds, once: `${event}:${windowMs}:${network}:${spelling}` }
        : { counters, windowMs, adds };
      if (adds && from !== alone) void alone?.tally(tally);
      const counts: unknown = from.tally(tally);
      return isThenable(counts) ? Promise.resolve(counts).then(read).catch(failed) : read(counts);
    } catch (cause) {
      return failed(cause);
    }
  };

  return {
    counts: event,
    isSync: store.isSync === true,
    count: (facts) => ask(facts, true, store),
    read: (facts) => ask(facts, false, store),
    ...(alone && {
      readAlone: (facts) => ask(facts, false, alone) as VelocityReading | undefined,
    }),
  };
}

interface Limited {
  readonly name: VelocitySubject;
  readonly limit: VelocityLimit;
  /** Begins the names of its counters. */
  readonly prefix: string;
}

function readingOf(
  asked: readonly Limited[],
  counts: readonly number[],
): VelocityReading | undefined {
  let signals: VelocitySignal[] | undefined;
  for (let at = 0; at < asked.length; at++) {
    const { name, limit } = asked[at]!;
    const count = Math.floor(counts[at]!);
    const weight = pointsOf(count, limit);
    if (weight > 0) (signals ??= []).push({ name, count, weight });
  }
  if (!signals) return undefined;
  signals.sort((one, other) => other.weight - one.weight);
  return { adds: signals[0]!.weight, signals };
}

/** Checks the answer of a store of the application: an unusable count must not count as 0. */
function checked(given: unknown, length: number): readonly number[] {
  const counts: readonly unknown[] = Array.isArray(given) ? given : [];
  if (counts.length === length && counts.every(isCount)) return counts;
  throw new TypeError("expected a list with a number of at least 0 for each counter");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

function failed(cause: unknown): never {
  throw new RiskGateError("STORE_FAILED", "the store of velocity failed", { cause });
}

function readVelocity(options: OptionReader) {
  const event = options.oneOf("counts", ["signups", "failed_logins"], "signups");
  const more = (options.list("largeProviders") ?? []).map((given) => {
    const domain = typeof given === "string" ? normalizeDomain(given) : undefined;
    return domain ?? options.refuse("largeProviders", "a list of domains", given);
  });
  const others: ReadonlySet<string> = new Set(more);
  return {
    event,
    store: options.object<VelocityStore>("store", ["tally"]) ?? createMemoryVelocityStore(),
    windowMs: options.durationMs("windowMs", 3_600_000, { min: 1_000 }),
    limits: readLimits(options, event),
    isLarge: (domain: string): boolean => isLargeProvider(domain) || others.has(domain),
  };
}
