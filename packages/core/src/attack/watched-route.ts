import type { LoginCounts } from "../model/attack.js";
import { after, type Awaitable, isThenable } from "../model/awaitable.js";
import type { AttackStore } from "./attack-store.js";
import {
  type UnusualLogins,
  unusualLogins,
  type UsualLogins,
  usualLogins,
} from "./usual-logins.js";

/** The logins of one route, in one store. */
export interface WatchedRoute {
  /** Adds to the counts of the current period. */
  add(adds: Partial<LoginCounts>): Awaitable<unknown>;
  /** Counts a login without a known device, and evaluates the last ten minutes. */
  begin(): Awaitable<UnusualLogins | undefined>;
}

export interface WatchedRouteSettings {
  readonly name: string;
  readonly minimum: number;
  readonly now: () => number;
}

const PERIOD_MS = 600_000;
const PERIODS_PER_HOUR = 6;
const PERIODS_PER_WEEK = 7 * 24 * PERIODS_PER_HOUR;
const WEEKS = [1, 2, 3, 4] as const;

/** Four weeks, and the hours around the first one. */
const TTL_MS = (4 * PERIODS_PER_WEEK + 3 * PERIODS_PER_HOUR) * PERIOD_MS;

const FIELDS = ["known", "fresh", "failed", "attacked"] as const;

export function watchRoute(
  store: AttackStore,
  { name, minimum, now }: WatchedRouteSettings,
): WatchedRoute {
  let baseline: { readonly period: number; readonly usual: Awaitable<UsualLogins> } | undefined;

  const count = (
    period: number,
    adds: Partial<LoginCounts>,
    reads: readonly number[],
  ): Awaitable<readonly LoginCounts[]> =>
    after(store.count({ name, period, adds, reads, ttlMs: TTL_MS }), (counts) =>
      checked(counts, reads.length),
    );

  /** Read once per period. */
  const usualIn = (period: number): Awaitable<UsualLogins> => {
    if (baseline?.period === period) return baseline.usual;
    const weeks = WEEKS.map((week) => periodsAround(period - week * PERIODS_PER_WEEK));
    const usual = after(count(period, {}, weeks.flat()), (counts) =>
      usualLogins(
        weeks.map((periods, at) => counts.slice(at * periods.length, (at + 1) * periods.length)),
        minimum,
      ),
    );
    const made = { period, usual };
    baseline = made;
    if (isThenable(usual)) {
      usual.then(undefined, () => {
        if (baseline === made) baseline = undefined;
      });
    }
    return usual;
  };

  return {
    add: (adds) => count(Math.floor(now() / PERIOD_MS), adds, []),
    begin() {
      const at = now() / PERIOD_MS;
      const period = Math.floor(at);
      const counted = count(period, { fresh: 1, failed: 1 }, [period, period - 1]);
      const expected = usualIn(period);
      return after(counted, ([current, previous]) =>
        after(expected, (usual) => {
          const found = unusualLogins(windowOf(current!, previous!, at - period), usual);
          if (!found || current!.attacked > 0) return found;
          return after(count(period, { attacked: 1 }, []), () => found);
        }),
      );
    },
  };
}

/** Returns the periods of an hour and of those before and after it. */
function periodsAround(period: number): readonly number[] {
  const first = (Math.floor(period / PERIODS_PER_HOUR) - 1) * PERIODS_PER_HOUR;
  return Array.from({ length: 3 * PERIODS_PER_HOUR }, (_, index) => first + index);
}

/** Weights the previous period by the part of it that the last ten minutes cover. */
function windowOf(current: LoginCounts, previous: LoginCounts, passed: number): LoginCounts {
  const both = (name: keyof LoginCounts): number =>
    Math.max(0, current[name]) + Math.max(0, previous[name]) * (1 - passed);
  return {
    known: both("known"),
    fresh: both("fresh"),
    failed: both("failed"),
    attacked: current.attacked + previous.attacked,
  };
}

/** Checks the result of an application's store: an invalid count must not count as 0. */
function checked(given: unknown, length: number): readonly LoginCounts[] {
  const isCounts = (one: unknown): boolean =>
    FIELDS.every((name) => Number.isFinite((one as Partial<LoginCounts> | null)?.[name]));
  if (Array.isArray(given) && given.length === length && given.every(isCounts)) {
    return given as readonly LoginCounts[];
  }
  throw new TypeError("expected the counts of each period");
}
