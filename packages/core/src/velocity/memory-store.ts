import { monotonicMs } from "../base/clock.js";
import { readOptions } from "../base/options.js";
import type { Tally, VelocityStore } from "./velocity-store.js";

/** Options of {@link createMemoryVelocityStore}. */
export interface MemoryVelocityStoreOptions {
  /**
   * Most counters kept for one window, default 200,000 (about 40 MB). Past it, those that were made
   * first are dropped, but for those that have counted most. A sign-up takes up to six.
   */
  readonly maxEntries?: number;
  /** Monotonic clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/** Counts by name, in the part of time that is running and in the one before: a window covers parts of both. */
interface Counts {
  part: number;
  current: Map<string, number>;
  earlier: ReadonlyMap<string, number>;
}

/** From this count on a counter is dropped last: it is near what a limit may be about. */
const WORTH_KEEPING = 3;

/** Counters looked at to make room for one. */
const LOOKED_AT = 8;

/**
 * Count in this process. Several processes behind one route need a shared store instead, or each sees
 * its share only.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createMemoryVelocityStore(options: MemoryVelocityStoreOptions = {}): VelocityStore {
  const { max, now } = readOptions("createMemoryVelocityStore", options, (given) => ({
    max: given.integer("maxEntries", 200_000),
    now: given.function<() => number>("now") ?? monotonicMs,
  }));
  const byWindow = new Map<number, Counts>();

  const countsAt = (part: number, windowMs: number): Counts => {
    const known = byWindow.get(windowMs);
    if (known?.part === part) return known;
    const earlier = known?.part === part - 1 ? known.current : new Map<string, number>();
    const counts = { part, current: new Map<string, number>(), earlier };
    byWindow.set(windowMs, counts);
    return counts;
  };
  const isNew = ({ once }: Tally, { current, earlier }: Counts): boolean => {
    if (once === undefined) return true;
    const name = `once ${once}`;
    if (current.has(name) || earlier.has(name)) return false;
    add(current, name, 1, max);
    return true;
  };

  return {
    isSync: true,
    tally(tally) {
      const { counters, windowMs, adds } = tally;
      const parts = now() / windowMs;
      const part = Math.floor(parts);
      const covered = 1 - (parts - part);
      const counts = countsAt(part, windowMs);
      const more = adds && isNew(tally, counts) ? 1 : 0;
      return counters.map((name) => {
        const count = (counts.current.get(name) ?? 0) + more;
        if (more > 0) add(counts.current, name, count, max);
        return count + (counts.earlier.get(name) ?? 0) * covered;
      });
    },
  };
}

/** Set a count, and drop another where there are too many. */
function add(counts: Map<string, number>, name: string, count: number, max: number): void {
  counts.set(name, count);
  if (counts.size <= max) return;
  let left = LOOKED_AT;
  for (const [first, firstCount] of counts) {
    counts.delete(first);
    if (firstCount < WORTH_KEEPING || --left === 0) return;
    // Behind all others, as if it were made now.
    counts.set(first, firstCount);
  }
}
