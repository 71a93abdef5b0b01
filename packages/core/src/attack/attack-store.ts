import type { LoginCounts } from "../model/attack.js";
import type { Awaitable } from "../model/awaitable.js";

export interface AttackCount {
  /** Name of the attack mode. */
  readonly name: string;
  /** Number of the period: ten minutes, counted from 1970. */
  readonly period: number;
  /** Added to the counts of the period; numbers below 0 take back. */
  readonly adds: Partial<LoginCounts>;
  /** Periods to read afterwards. */
  readonly reads: readonly number[];
  /** How long the period is kept, in milliseconds. */
  readonly ttlMs: number;
}

/** Counts logins by period, for all processes. */
export interface AttackStore {
  /** True if every call returns its result without a promise. */
  readonly isSync?: boolean;
  /** Adds atomically; returns the counts of `reads` in order, and 0 for unknown periods. */
  count(call: AttackCount): Awaitable<readonly LoginCounts[]>;
}

interface Kept {
  counts: LoginCounts;
  readonly endMs: number;
}

const NONE: LoginCounts = Object.freeze({ known: 0, fresh: 0, failed: 0, attacked: 0 });

/** Counts in this process: about half a megabyte per name after four weeks. */
export function createMemoryAttackStore({
  now = Date.now,
}: {
  /** Time of day in milliseconds, for tests. */
  readonly now?: () => number;
} = {}): AttackStore {
  const byName = new Map<string, Map<number, Kept>>();

  return {
    isSync: true,
    count({ name, period, adds, reads, ttlMs }) {
      let periods = byName.get(name);
      if (!periods) byName.set(name, (periods = new Map<number, Kept>()));
      if (Object.keys(adds).length > 0) {
        let kept = periods.get(period);
        if (!kept) {
          removeEnded(periods, now());
          periods.set(period, (kept = { counts: NONE, endMs: now() + ttlMs }));
        }
        kept.counts = sumOf(kept.counts, adds);
      }
      return reads.map((one) => periods.get(one)?.counts ?? NONE);
    },
  };
}

/** Periods are inserted in the order in which they end. */
function removeEnded(periods: Map<number, Kept>, nowMs: number): void {
  for (const [period, { endMs }] of periods) {
    if (endMs > nowMs) return;
    periods.delete(period);
  }
}

function sumOf(counts: LoginCounts, adds: Partial<LoginCounts>): LoginCounts {
  return {
    known: counts.known + (adds.known ?? 0),
    fresh: counts.fresh + (adds.fresh ?? 0),
    failed: counts.failed + (adds.failed ?? 0),
    attacked: counts.attacked + (adds.attacked ?? 0),
  };
}
