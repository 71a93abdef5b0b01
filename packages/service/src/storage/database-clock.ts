import { warn } from "@riskgate/core/internal";
import { type Clock, instantOf } from "../model/instant.js";

/** The clock of the database, the only one that all processes share. */
export interface DatabaseClock {
  readonly now: Clock;
  /** Milliseconds by which the clock of this machine is ahead of it. */
  aheadMs(this: void): number;
  /**
   * Compares it with a time that the database returned.
   *
   * @param databaseMs Unix time of the database, in milliseconds.
   * @param askedMs Time of the query by the monotonic clock.
   */
  observe(databaseMs: number, askedMs: number): void;
}

export interface MachineClocks {
  /** Unix time in milliseconds; default `Date.now`. */
  readonly epochMs?: () => number;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
}

/** Difference of two clocks that is not reported, in milliseconds. */
const MAX_DIFFERENCE_MS = 2_000;

/**
 * Creates a clock that continues the observed time by the monotonic clock, so that it doesn't change if
 * the clock of this machine is set.
 */
export function createDatabaseClock({
  epochMs = Date.now,
  nowMs = () => performance.now(),
}: MachineClocks = {}): DatabaseClock {
  let offsetMs = epochMs() - nowMs();
  const aheadMs = (): number => epochMs() - nowMs() - offsetMs;
  return {
    now: () => instantOf(Math.round(nowMs() + offsetMs)),
    aheadMs,
    observe(databaseMs, askedMs) {
      // The database read its clock between the query and its result: a slow result corrects little.
      const latest = databaseMs - askedMs;
      offsetMs = Math.min(Math.max(offsetMs, databaseMs - nowMs()), latest);
      if (Math.abs(aheadMs()) > MAX_DIFFERENCE_MS) warnOfDifference();
    },
  };
}

/** Returns a clock that needs no comparison, such as the one of SQLite: that of this machine. */
export function singleClock(now: Clock): DatabaseClock {
  return { now, aheadMs: () => 0, observe() {} };
}

function warnOfDifference(): void {
  warn(
    "RISKGATE_CLOCK_DIFFERS",
    "riskgate: the clock of this machine differs from that of the database by more than two seconds. Synchronise the clocks",
  );
}
