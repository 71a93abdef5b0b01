import { monotonicMs } from "../base/clock.js";
import { readOptions } from "../base/options.js";
import type { Tally, VelocityStore } from "./velocity-store.js";

export interface MemoryVelocityStoreOptions {
  /**
   * Maximum number of counters in one window, default 200,000 (about 40 MB). Beyond it, the oldest
   * counters are dropped, those with high counts last. A sign-up adds at most ten; a login adds at
   * most eight. Each subject in `by` adds two.
   */
  readonly maxEntries?: number;
  /** Monotonic clock in milliseconds, for tests. */
  readonly now?: () => number;
}

/** Counts by name, in the current and the previous period: a window covers parts of both. */
interface Counts {
  readonly part: number;
  readonly current: Map<string, number>;
  readonly earlier: Map<string, number>;
  /**
   * Iterates over `current` in insertion order. A new iterator would start at the holes that a map
   * keeps for all entries deleted since it last grew.
   */
  oldest: MapIterator<[string, number]>;
}

/** Counters with at least this count are dropped last: they may be near a limit. */
const WORTH_KEEPING = 3;

/** Counters checked before one is dropped. */
const LOOKED_AT = 8;

/**
 * Counts in this process. Several processes that serve one route need a shared store; otherwise
 * each counts only its own requests.
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
    const current = new Map<string, number>();
    const counts = { part, current, earlier, oldest: current.entries() };
    byWindow.set(windowMs, counts);
    return counts;
  };
  const isNew = ({ once }: Tally, counts: Counts): boolean => {
    if (once === undefined) return true;
    const name = `once ${once}`;
    if (counts.current.has(name) || counts.earlier.has(name)) return false;
    add(counts, name, 1, max);
    return true;
  };

  return {
    isSync: true,
    tally(tally) {
      const { counters, windowMs, adds, distinct } = tally;
      const parts = now() / windowMs;
      const part = Math.floor(parts);
      const covered = 1 - (parts - part);
      const counts = countsAt(part, windowMs);
      const isCounted = adds && isNew(tally, counts);
      return counters.map((name) => {
        if (distinct !== undefined) change(counts, name, distinct, tally, max);
        else if (isCounted) add(counts, name, (counts.current.get(name) ?? 0) + 1, max);
        return (counts.current.get(name) ?? 0) + (counts.earlier.get(name) ?? 0) * covered;
      });
    },
  };
}

/** Adds `text` to the texts of a counter, or removes it. */
function change(
  counts: Counts,
  name: string,
  text: string,
  { adds, takesBack }: Tally,
  max: number,
): void {
  const mark = `in ${name.length} ${name}${text}`;
  const { current, earlier } = counts;
  const isCurrent = current.get(mark) === 1;
  if (!adds && !takesBack) return;
  if (isCurrent && takesBack) takeOne(current, name, mark);
  if (earlier.get(mark) === 1) takeOne(earlier, name, mark);
  if (!adds || isCurrent) return;
  add(counts, mark, 1, max);
  add(counts, name, (current.get(name) ?? 0) + 1, max);
}

function takeOne(part: Map<string, number>, name: string, mark: string): void {
  // Not deleted: a map keeps the holes of deleted entries for its iterators.
  part.set(mark, 0);
  const count = part.get(name);
  if (count !== undefined) part.set(name, Math.max(0, count - 1));
}

/** Sets a count, and drops another if there are too many. */
function add(counts: Counts, name: string, count: number, max: number): void {
  const { current } = counts;
  current.set(name, count);
  for (let left = LOOKED_AT; current.size > max; left--) {
    const [first, firstCount] = nextOf(counts);
    current.delete(first);
    // Moved to the end, like a new entry.
    if (firstCount >= WORTH_KEEPING && left > 1) current.set(first, firstCount);
  }
}

function nextOf(counts: Counts): [string, number] {
  const next = counts.oldest.next();
  if (!next.done) return next.value;
  counts.oldest = counts.current.entries();
  return counts.oldest.next().value!;
}
