/** Lets callers wait for progress that this process or another one makes. */
export interface Progress {
  /** Wakes those who wait, because there may be progress. */
  notify(): void;
  /**
   * Waits until a condition holds, which is checked after each notification and at intervals.
   *
   * @returns False if that took too long.
   */
  until(holds: () => Promise<boolean>, waitMs: number): Promise<boolean>;
}

/** Interval at which a condition is checked without a notification, in milliseconds. */
const ASK_MS = 50;

export function createProgress(): Progress {
  const listeners = new Set<() => void>();
  const next = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      listeners.add(done);
    });
  return {
    notify() {
      for (const listener of listeners) listener();
    },
    async until(holds, waitMs) {
      const untilMs = performance.now() + waitMs;
      while (!(await holds())) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return false;
        await next(Math.min(leftMs, ASK_MS));
      }
      return true;
    },
  };
}
