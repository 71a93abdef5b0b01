import { monotonicMs } from "../base/clock.js";
import type { LoginsAhead } from "../model/velocity.js";

/** Logins of this process that a gate let through, and whose outcome is not yet known. */
export interface LoginTries {
  /**
   * Adds a login to each counter, once.
   * @returns By counter, the number of logins that began earlier.
   */
  begin(request: object, counters: readonly string[]): LoginsAhead;
  readonly end: (request: object) => void;
}

interface LoginTry {
  readonly ahead: Map<string, number>;
  readonly endsMs: number;
}

/** A login without a watch, or whose handler never responds, ends after this time. */
const LONGEST_MS = 10_000;

/** Maximum number of logins; beyond it, the oldest ones end. */
const MAX_TRIES = 10_000;

export function createLoginTries(now: () => number = monotonicMs): LoginTries {
  const counts = new Map<string, number>();
  /** Oldest first. */
  const tries = new Map<object, LoginTry>();

  const end = (request: object): void => {
    for (const counter of tries.get(request)?.ahead.keys() ?? []) {
      const left = counts.get(counter)! - 1;
      if (left > 0) counts.set(counter, left);
      else counts.delete(counter);
    }
    tries.delete(request);
  };
  const tryOf = (request: object): LoginTry => {
    const nowMs = now();
    for (const [oldest, { endsMs }] of tries) {
      if (endsMs > nowMs && tries.size <= MAX_TRIES) break;
      end(oldest);
    }
    const known = tries.get(request);
    if (known) return known;
    const made = { ahead: new Map<string, number>(), endsMs: nowMs + LONGEST_MS };
    tries.set(request, made);
    return made;
  };

  return {
    begin(request, counters) {
      const { ahead } = tryOf(request);
      for (const counter of counters) {
        if (ahead.has(counter)) continue;
        const count = counts.get(counter) ?? 0;
        ahead.set(counter, count);
        counts.set(counter, count + 1);
      }
      return ahead;
    },
    end,
  };
}
