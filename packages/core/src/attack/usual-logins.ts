import type { AttackSign, LoginCounts } from "../model/attack.js";

/** Usual figures of a route at one hour of the week. */
export interface UsualLogins {
  /** Median of the failures in ten minutes. */
  readonly failures: number;
  /** Failures that are too many if too few logins succeed. */
  readonly limit: number;
  /** Failures that are too many if too many devices are new. */
  readonly newDeviceLimit: number;
  /** Logins without a known device that are not many; undefined without a baseline. */
  readonly strangers: number | undefined;
  /** Share of the logins without a known device that do not succeed; undefined without a baseline. */
  readonly failedShare: number | undefined;
  /** Share of logins without a known device. */
  readonly newShare: number | undefined;
}

/** Periods with logins that a week must have around an hour to be part of the baseline. */
const MIN_PERIODS = 6;

/** Standard deviations above the median. */
const MANY = 3;
const UNUSUAL = 6;
const VERY_UNUSUAL = 12;

/** Failures of a campaign or a new release stay below this multiple of the median. */
const MANIFOLD = 5;

/** Scales the median absolute deviation of a normal distribution to its standard deviation. */
const DEVIATIONS = 1.4826;

/** Until something is known about the route, more than this share must fail. Of people, far fewer do. */
const UNKNOWN_SHARE = 1 / 3;

/** A share varies at least this much. */
const MIN_MARGIN = 0.1;
const MARGIN_DEVIATIONS = 4;

/**
 * Returns what is usual, from the same hour in earlier weeks. Of up to two weeks the lowest figures
 * count, of more the second lowest: a single week cannot raise them, whatever was sent in it.
 * @param weeks Counts of ten minutes each. Those in attack mode are ignored.
 * @param minimum Failures in ten minutes that are never too many.
 */
export function usualLogins(
  weeks: readonly (readonly LoginCounts[])[],
  minimum: number,
): UsualLogins {
  const normal = weeks
    .map((counts) => counts.filter((one) => one.attacked <= 0 && one.known + one.fresh > 0))
    .filter((counts) => counts.length >= MIN_PERIODS);
  const least = (figure: (counts: readonly LoginCounts[]) => number): number | undefined => {
    const sorted = normal.map(figure).toSorted((a, b) => a - b);
    return sorted[sorted.length > 2 ? 1 : 0];
  };
  const above = (name: "failed" | "fresh", deviations: number, times = 1) =>
    least((counts) => {
      const values = counts.map((one) => Math.max(0, one[name]));
      const middle = median(values);
      return Math.ceil(Math.max(middle * times, middle + deviations * deviationOf(values, middle)));
    });
  return {
    failures: above("failed", 0) ?? 0,
    limit: Math.max(minimum, above("failed", UNUSUAL) ?? 0),
    newDeviceLimit: Math.max(minimum, above("failed", VERY_UNUSUAL, MANIFOLD) ?? Infinity),
    strangers: above("fresh", MANY),
    failedShare: least((counts) => shareOf(sum(counts, "failed"), sum(counts, "fresh"))),
    newShare: least((counts) => {
      const fresh = sum(counts, "fresh");
      return shareOf(fresh, fresh + sum(counts, "known"));
    }),
  };
}

export interface UnusualLogins {
  readonly failures: number;
  readonly limit: number;
  readonly sign: AttackSign;
}

/**
 * Returns why the logins of the last ten minutes are unusual; undefined if they are not. Attack mode
 * ends halfway between its limit and the usual failures, so that it does not end and begin again. It
 * also ends once strangers are as few as usual: people who ignore a challenge must not prolong it.
 */
export function unusualLogins(
  { known, fresh, failed, attacked }: LoginCounts,
  usual: UsualLogins,
): UnusualLogins | undefined {
  const failures = Math.floor(failed);
  const isOn = attacked > 0 && usual.strangers !== undefined;
  if (isOn && fresh <= usual.strangers) return undefined;
  const end = (limit: number): number =>
    isOn ? Math.floor((limit + Math.min(usual.failures, limit)) / 2) : limit;
  const [limit, newDeviceLimit] = [end(usual.limit), end(usual.newDeviceLimit)];
  if (failures > limit && isUnusualShare(failed, fresh, usual.failedShare)) {
    return { failures, limit, sign: "success_ratio" };
  }
  if (failures > newDeviceLimit && isUnusualShare(fresh, fresh + known, usual.newShare)) {
    return { failures, limit: newDeviceLimit, sign: "new_devices" };
  }
  return undefined;
}

function isUnusualShare(part: number, all: number, usual: number | undefined): boolean {
  const share = shareOf(part, all);
  if (usual === undefined) return share > UNKNOWN_SHARE;
  const deviation = Math.sqrt((usual * (1 - usual)) / Math.max(1, all));
  return share > usual + Math.max(MIN_MARGIN, MARGIN_DEVIATIONS * deviation);
}

function shareOf(part: number, all: number): number {
  return all > 0 ? Math.min(1, Math.max(0, part / all)) : 0;
}

function sum(counts: readonly LoginCounts[], name: keyof LoginCounts): number {
  return counts.reduce((total, one) => total + Math.max(0, one[name]), 0);
}

/** Counts vary at least like arrivals at random. */
function deviationOf(values: readonly number[], middle: number): number {
  const distances = values.map((value) => Math.abs(value - middle));
  return Math.max(DEVIATIONS * median(distances), Math.sqrt(middle));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
