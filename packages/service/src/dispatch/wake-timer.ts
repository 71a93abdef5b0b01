import { performance } from "node:perf_hooks";
import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Looks at something again and again: when it is due, and when somebody says so. */
export interface WakeTimer {
  /** Look soon. */
  readonly wake: () => void;
  /** Look now, without the pause after the last look. */
  readonly hurry: () => void;
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
  let restUntilMs = 0;
  let heldUntilMs = 0;
  let looking: Promise<void> | undefined;
  let isClosed = false;

  const plan = (atMs: number): void => {
    const wantedMs = Math.max(atMs, restUntilMs, heldUntilMs);
    if (isClosed || wantedMs >= dueMs) return;
    dueMs = wantedMs;
    // What is wanted during a look is planned after it.
    if (!looking) arm();
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (isClosed || dueMs === Infinity) return;
    const atMs = Math.max(dueMs, restUntilMs, heldUntilMs);
    timer = setTimeout(run, Math.max(0, Math.ceil(atMs - performance.now())));
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
      restUntilMs = endMs + Math.max(gapMs, minGapMs);
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
    hurry() {
      restUntilMs = 0;
      plan(performance.now());
    },
    hold(ms) {
      heldUntilMs = Math.max(heldUntilMs, performance.now() + ms);
      dueMs = Infinity;
      plan(heldUntilMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
