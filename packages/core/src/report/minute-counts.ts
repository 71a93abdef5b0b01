import { COUNTERS, type Counter } from "./report.js";

/** What was counted within one minute. */
export interface MinuteCounts {
  /** Number of the minute since 1970. */
  readonly minute: number;
  readonly counts: Partial<Record<Counter, number>>;
}

/** Minutes that are kept while the service cannot be reached: older ones would be no news. */
const MAX_MINUTES = 15;

const MINUTE_MS = 60_000;

/**
 * What is counted, by minute: sent late in one piece, the counts of a long outage would look like a
 * peak.
 */
export class MinuteTally {
  #minutes: MinuteCounts[] = [];

  get total(): number {
    return this.#minutes.reduce((sum, one) => sum + totalOf(one), 0);
  }

  /** Count; gives how many counts had to be forgotten for it. */
  add(counter: Counter, by: number, nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) this.#minutes.push((last = { minute, counts: {} }));
    last.counts[counter] = (last.counts[counter] ?? 0) + by;
    return this.#minutes.length > MAX_MINUTES ? totalOf(this.#minutes.shift()!) : 0;
  }

  /** Take the oldest minute. */
  take(): MinuteCounts | undefined {
    return this.#minutes.shift();
  }

  /** Put a minute back that was taken and not sent. */
  restore(taken: MinuteCounts): void {
    const first = this.#minutes[0];
    if (first?.minute !== taken.minute) {
      this.#minutes.unshift(taken);
      return;
    }
    for (const counter of COUNTERS) {
      const count = taken.counts[counter];
      if (count !== undefined) first.counts[counter] = (first.counts[counter] ?? 0) + count;
    }
  }
}

export function totalOf({ counts }: MinuteCounts): number {
  return COUNTERS.reduce((sum, counter) => sum + (counts[counter] ?? 0), 0);
}

/** JSON text of a minute, as the service takes it. */
export function countsText({ minute, counts }: MinuteCounts): string {
  return JSON.stringify({ ...counts, at: new Date(minute * MINUTE_MS).toISOString() });
}
