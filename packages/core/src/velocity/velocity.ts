import { after, allOf, type Awaitable, isThenable } from "../model/awaitable.js";
import { RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { normalizeDomain } from "../address/domain-name.js";
import { isForwardingDomain } from "../address/forwarding-services.js";
import { isLargeProvider } from "./large-providers.js";
import { createMemoryVelocityStore } from "./memory-store.js";
import type { LoginsAhead, Velocity, VelocityEvent, VelocityFacts } from "../model/velocity.js";
import type {
  VelocityReading,
  VelocitySignal,
  VelocitySubject,
} from "../model/velocity-reading.js";
import {
  type Asked,
  askedOf,
  isOfMailbox,
  type Limited,
  readingIn,
  signalsOf,
} from "./counted-subjects.js";
import { counterOf, loginTallies } from "./login-tallies.js";
import { createLoginTries } from "./login-tries.js";
import { type CountedEvent, countedEvent } from "./velocity-counters.js";
import { readKeys } from "./velocity-keys.js";
import { readLimits, type VelocityKeyLimit, type VelocityLimit } from "./velocity-limits.js";
import { loadRegistrableDomain, type RegistrableDomain } from "./registrable-domain.js";
import type { Tally, VelocityStore } from "./velocity-store.js";

export interface VelocityOptions<Request = unknown, Key extends string = string> {
  /**
   * Events to count; default `signups`: every request that a gate decides, but the same email from
   * the same network only once. `failed_logins` are counted by a `loginWatch` with the same
   * velocity, as a share of all logins, and read by the gate.
   */
  readonly counts?: VelocityEvent;
  /**
   * Stores the counts; default in this process's memory. While a shared store does not respond,
   * each process falls back to its own counts.
   */
  readonly store?: VelocityStore;
  /** Length of the sliding window, in milliseconds; default one hour. */
  readonly windowMs?: number;
  /**
   * Number of events above which each subject is suspicious, or `false` not to count it;
   * `docs/velocity.md` has the defaults, for one hour.
   */
  readonly limits?: {
    readonly [Name in VelocitySubject]?: Partial<VelocityLimit> | false;
  } & { readonly [Name in Key & {}]?: Partial<VelocityKeyLimit> | false };
  /**
   * Own subjects: functions that return a text or number of the request, such as a card or device;
   * undefined counts nothing. The functions receive what hooks receive first, or the `scope` of
   * `gate.decide`. Their points never refuse a request. Default limits: 2 to 5, 75.
   */
  readonly by?: { readonly [Name in Key]: (request: Request) => unknown };
  /** Key for the digests by which the subjects in `by` are counted: at least 32 bytes. */
  readonly secret?: string | Uint8Array;
  /** More domains at which anybody can have a mailbox. */
  readonly largeProviders?: readonly string[];
  /**
   * Returns the registrable domain of a domain in normal form, such as `example.co.uk` for
   * `a.example.co.uk`; sign-ups are counted by it. If the result is not text, the domain itself is
   * counted. Default: by the public suffix list, ICANN and private (`tldts`).
   */
  readonly registrableDomain?: (domain: string) => string | null | undefined;
}

/** Maximum number of counters that a process keeps beside a shared store; about 10 MB. */
const ALONE_ENTRIES = 50_000;

/**
 * Creates a counter of visitors that return under other names: the option `velocity` of a gate and
 * of a `loginWatch`.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createVelocity<Request = unknown, Key extends string = never>(
  options: VelocityOptions<Request, Key> = {},
): Velocity {
  const { event, store, limits, counting } = readOptions("createVelocity", options, readVelocity);
  const windows = [...new Set(limits.map(({ windowMs }) => windowMs))].map((ms) => ({
    windowMs: ms,
    limited: limits
      .filter(({ windowMs }) => windowMs === ms)
      .map((one): Limited => ({ ...one, prefix: `${event}:${ms}:${one.name}:` })),
  }));
  const isLogin = event === "failed_logins";

  const alone = store.isSync ? undefined : createMemoryVelocityStore({ maxEntries: ALONE_ENTRIES });

  const signalsIn = (
    { windowMs: ms, limited }: (typeof windows)[number],
    counted: CountedEvent,
    change: Change,
    from: VelocityStore,
    ahead?: LoginsAhead,
  ): Awaitable<readonly VelocitySignal[]> => {
    const asked = askedOf(limited, counted.texts);
    if (asked.length === 0) return [];
    const tallies = isLogin
      ? talliesOfLogin(asked, counted, change, ms)
      : [tallyOfSignUp(asked, counted, change === "add", ms)];
    const length = tallies.at(-1)!.counters.length;
    if (change !== "none" && alone && from !== alone) void tallyAll(alone, tallies);
    return after(tallyAll(from, tallies), (counts) =>
      signalsOf(asked, checked(counts, length), ahead),
    );
  };
  const ask = (
    facts: VelocityFacts,
    change: Change,
    from: VelocityStore,
    ahead?: LoginsAhead,
  ): Awaitable<VelocityReading | undefined> => {
    const counted = countedEvent(facts, counting);
    try {
      const found = allOf(windows.map((one) => signalsIn(one, counted, change, from, ahead)));
      return isThenable(found)
        ? found.then((all) => readingIn(all.flat())).catch(failed)
        : readingIn(found.flat());
    } catch (cause) {
      return failed(cause);
    }
  };

  const tries = createLoginTries();
  const countersOf = (facts: VelocityFacts): readonly string[] => {
    const { texts } = countedEvent(facts, counting);
    const asked = windows.flatMap(({ limited }) => askedOf(limited, texts));
    return asked.map(({ prefix, text }) => prefix + text);
  };

  return {
    counts: event,
    isSync: store.isSync === true,
    ...(counting.keys && { keysOf: counting.keys.valuesOf }),
    count: (facts) => ask(facts, "add", store),
    ...(isLogin && {
      succeeded: (facts) => after(ask(facts, "succeeded", store), () => {}),
      begin: (request, facts) => tries.begin(request, countersOf(facts)),
      end: tries.end,
    }),
    read: (facts, ahead) => ask(facts, "none", store, ahead),
    ...(alone && {
      readAlone: (facts, ahead) => ask(facts, "none", alone, ahead) as VelocityReading | undefined,
    }),
  };
}

type Change = "add" | "none" | "succeeded";

/**
 * Returns the tally of a sign-up. The same form again is the same sign-up, but from another network
 * it may be another visitor. Each counter remembers the form itself: one that was sent with another
 * value of a subject is new to the counter of this value.
 */
function tallyOfSignUp(
  asked: readonly Asked[],
  { network, spelling }: CountedEvent,
  adds: boolean,
  windowMs: number,
): Tally {
  const counters = asked.map(({ prefix, text }) => prefix + text);
  if (spelling === undefined) return { counters, windowMs, adds };
  return { counters, windowMs, adds, distinct: `${network}:${spelling}` };
}

/**
 * Returns the tallies of a login. The last one reads all failure counters, then all success
 * counters.
 */
function talliesOfLogin(
  asked: readonly Asked[],
  { account }: CountedEvent,
  change: Change,
  windowMs: number,
): readonly Tally[] {
  const ofMailbox = asked.filter(isOfMailbox);
  const ofNetwork = asked.filter((one) => !isOfMailbox(one));
  const counters = {
    mailbox: ofMailbox.map(({ prefix, text }) => prefix + text),
    failed: ofNetwork.map(({ prefix, text }) => counterOf(prefix, text, "failed")),
    succeeded: ofNetwork.map(({ prefix, text }) => counterOf(prefix, text, "succeeded")),
  };
  const end = change === "succeeded" ? "succeeded" : "failed";
  const changes = change === "none" ? [] : loginTallies(counters, end, account, windowMs);
  const all = [...counters.mailbox, ...counters.failed, ...counters.succeeded];
  return [...changes, { counters: all, windowMs, adds: false }];
}

/** Sends tallies in sequence; returns the counts of the last one. */
function tallyAll(store: VelocityStore, tallies: readonly Tally[], at = 0): Awaitable<unknown> {
  const counts = store.tally(tallies[at]!);
  return at + 1 === tallies.length ? counts : after(counts, () => tallyAll(store, tallies, at + 1));
}

/** Checks the result of an application's store: an invalid count must not count as 0. */
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
  const keys = readKeys(options);
  const limits = readLimits(options, event, keys?.names ?? []);
  const given = options.function<RegistrableDomain>("registrableDomain");
  const registrableDomain =
    given ?? (limits.some(({ name }) => name === "domain") ? loadRegistrableDomain() : String);
  return {
    event,
    store: options.object<VelocityStore>("store", ["tally"]) ?? createMemoryVelocityStore(),
    limits,
    counting: {
      keys,
      isLarge: (domain: string): boolean =>
        isLargeProvider(domain) || isForwardingDomain(domain) || others.has(domain),
      registrableDomain,
    },
  };
}
