import { performance } from "node:perf_hooks";
import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Looks at something again and again: when it is due, and when somebody says so. */
export interface WakeTimer {
  /** Look soon. */
  readonly wake: () => void;
  /** Look again after this time, and not sooner, whoever wakes it. */
  readonly hold: (ms: number) => void;
  /** Stop; resolves when no look is under way. */
  close(): Promise<void>;
}

/** A look that takes long is repeated less often: it gets one part in so many of the time. */
const GAP_FACTOR = 10;

/** Longest such pause: a look may only have waited until others were done with the storage. */
const MAX_GAP_MS = 100;

/**
 * Keep one timer for everything.
 *
 * @param look Resolves to the milliseconds until the next look.
 * @param onFailure Told what a look rejected with.
 * @param minGapMs Shortest time between two looks, so that a burst of calls costs one; default 5.
 */
export function createWakeTimer(
  look: () => Promise<number>,
  onFailure: (error: RiskGateError) => void,
  minGapMs = 5,
): WakeTimer {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Infinity;
  let notBeforeMs = 0;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  const plan = (atMs: number): void => {
    const wantedMs = Math.max(atMs, notBeforeMs);
    if (isClosed || wantedMs >= dueMs) return;
    dueMs = wantedMs;
    // What is wanted during a look is planned after it.
    if (!looking) arm();
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (isClosed || dueMs === Infinity) return;
    timer = setTimeout(
      run,
      Math.max(0, Math.ceil(Math.max(dueMs, notBeforeMs) - performance.now())),
    );
  };
  const run = (): void => {
    dueMs = Infinity;
    looking = lookOnce().finally(() => {
      looking = undefined;
      arm();
    });
  };
  const lookOnce = async (): Promise<void> => {
    const startMs = performance.now();
    try {
      const waitMs = await look();
      const endMs = performance.now();
      const gapMs = Math.min(GAP_FACTOR * (endMs - startMs), MAX_GAP_MS);
      notBeforeMs = Math.max(notBeforeMs, endMs + Math.max(gapMs, minGapMs));
      plan(endMs + waitMs);
    } catch (error) {
      onFailure(
        isRiskGateError(error)
          ? error
          : new RiskGateError("STORE_FAILED", "the queues could not be read", { cause: error }),
      );
    }
  };

  return {
    wake: () => plan(performance.now()),
    hold(ms) {
      notBeforeMs = Math.max(notBeforeMs, performance.now() + ms);
      dueMs = Infinity;
      plan(notBeforeMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
