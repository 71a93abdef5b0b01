import { COUNTERS, type Counter } from "./report.js";

export interface MinuteCounts {
  /** Number of the minute since 1970. */
  readonly minute: number;
  readonly counts: Partial<Record<Counter, number>>;
}

/** Number of minutes stored while the service is unreachable; older ones are obsolete. */
const MAX_MINUTES = 15;

const MINUTE_MS = 60_000;

/** Counts per minute: a long outage's counts, sent as one sum, would look like a peak. */
export class MinuteTally {
  #minutes: MinuteCounts[] = [];

  get total(): number {
    return this.#minutes.reduce((sum, one) => sum + totalOf(one), 0);
  }

  /** Adds to a counter; returns the number of older counts dropped for it. */
  add(counter: Counter, by: number, nowMs: number): number {
    const minute = Math.floor(nowMs / MINUTE_MS);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) this.#minutes.push((last = { minute, counts: {} }));
    last.counts[counter] = (last.counts[counter] ?? 0) + by;
    return this.#minutes.length > MAX_MINUTES ? totalOf(this.#minutes.shift()!) : 0;
  }

  take(): MinuteCounts | undefined {
    return this.#minutes.shift();
  }

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

export function countsText({ minute, counts }: MinuteCounts): string {
  return JSON.stringify({ ...counts, at: new Date(minute * MINUTE_MS).toISOString() });
}
