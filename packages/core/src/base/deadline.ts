import { Ring, unlink } from "./ring.js";

/**
 * Call `onExpire` once `ms` milliseconds are over. A deadline alone does not keep the process running.
 *
 * @returns Stops the deadline; stopping it twice, or too late, does nothing.
 */
export function startDeadline(ms: number, onExpire: () => void): () => void {
  const timer = setTimeout(onExpire, ms).unref();
  return () => clearTimeout(timer);
}

/** Deadlines of one and the same length. */
export interface Deadlines {
  /**
   * Call `onExpire` once the time is over.
   *
   * @returns Stops the deadline; stopping twice, or too late, does nothing.
   */
  start(onExpire: () => void): () => void;
}

interface Deadline {
  readonly dueMs: number;
  readonly onExpire: () => void;
}

/**
 * Keep any number of deadlines with one timer.
 *
 * All have the same length, so the order of starting is the order of expiring, and only the oldest
 * needs a timer. A timer or an `AbortSignal` for each call would cost more than the call's own
 * bookkeeping.
 *
 * @param now Monotonic clock in milliseconds.
 */
export function createDeadlines(ms: number, now: () => number): Deadlines {
  const pending = new Ring<Deadline>();
  let armed = false;

  const arm = (delayMs: number): void => {
    armed = true;
    // A deadline alone is no reason to keep the process: what it guards is.
    setTimeout(expire, Math.max(1, Math.ceil(delayMs))).unref();
  };

  const expire = (): void => {
    armed = false;
    for (let { first } = pending; first; { first } = pending) {
      const leftMs = first.dueMs - now();
      // Timers of Node may fire up to one millisecond early.
      if (leftMs >= 1) {
        arm(leftMs);
        return;
      }
      pending.shift();
      first.onExpire();
    }
  };

  return {
    start(onExpire) {
      const link = pending.add({ dueMs: now() + ms, onExpire });
      if (!armed) arm(ms);
      // The timer stays armed when the last one stops: the next start then costs no timer.
      return () => unlink(link);
    },
  };
}
