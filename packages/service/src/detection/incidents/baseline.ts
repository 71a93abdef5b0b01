import type { PeakThresholds } from "./incident-settings.js";

/** Sum of a counter over one minute. */
export interface Minute {
  readonly minute: number;
  readonly count: number;
}

/**
 * Adds a count to its minute. Minutes without a report are omitted, because they may not have been
 * quiet.
 * @returns The minutes, oldest first, at most one more than the history's length.
 */
export function addToMinutes(
  minutes: readonly Minute[],
  { minute, count }: Minute,
  { historyMinutes }: PeakThresholds,
): readonly Minute[] {
  const before = minutes.find((one) => one.minute === minute)?.count ?? 0;
  const others = minutes.filter((one) => one.minute !== minute);
  return [...others, { minute, count: before + count }]
    .toSorted((a, b) => a.minute - b.minute)
    .slice(-historyMinutes - 1);
}

/** Returns the median of the previous minutes, which a few peaks hardly affect; undefined for too few. */
export function baselineOf(
  minutes: readonly Minute[],
  minute: number,
  { historyMinutes, warmUpMinutes }: PeakThresholds,
): number | undefined {
  const counts = minutes
    .filter((one) => one.minute < minute)
    .slice(-historyMinutes)
    .map(({ count }) => count)
    .toSorted((a, b) => a - b);
  if (counts.length < warmUpMinutes) return undefined;
  const middle = counts.length >> 1;
  return counts.length % 2 === 1 ? counts[middle] : (counts[middle - 1]! + counts[middle]!) / 2;
}

/** Returns true if a minute is a peak: at least `least`, and more than a multiple of its baseline. */
export function isPeak(
  minutes: readonly Minute[],
  minute: number,
  least: number,
  thresholds: PeakThresholds,
): boolean {
  const count = minutes.find((one) => one.minute === minute)?.count ?? 0;
  const baseline = baselineOf(minutes, minute, thresholds);
  return baseline !== undefined && count >= least && count > thresholds.factor * baseline;
}
