import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Runs one task again and again: when it is due, and on request. Never twice at the same time. */
export interface WakeTimer {
  /** Runs soon. */
  readonly wake: () => void;
  /** Runs now, without the pause after the last run. */
  readonly hurry: () => void;
  /** Runs again after this time and not before, whatever is requested meanwhile. */
  readonly hold: (ms: number) => void;
  /** Stop; resolves when no run is under way. */
  close(): Promise<void>;
}

/** The pause after a run, in durations of the run: a slow task is repeated less often. */
const GAP_FACTOR = 10;

/** Longest such pause: a run may only have waited for others to finish with the storage. */
const MAX_GAP_MS = 100;

/**
 * Makes the timer of one task.
 *
 * @param task Resolves to the milliseconds until it is due again.
 * @param onFailure Receives what the task rejected with.
 * @param minGapMs Shortest pause between two runs, so that a burst of requests costs one; default 5.
 */
export function createWakeTimer(
  task: () => Promise<number>,
  onFailure: (error: RiskGateError) => void,
  minGapMs = 5,
): WakeTimer {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Infinity;
  let restUntilMs = 0;
  let heldUntilMs = 0;
  let running: Promise<void> | undefined;
  let isClosed = false;

  const plan = (atMs: number): void => {
    const wantedMs = Math.max(atMs, restUntilMs, heldUntilMs);
    if (isClosed || wantedMs >= dueMs) return;
    dueMs = wantedMs;
    // A request that comes during a run is planned after it.
    if (!running) arm();
  };
  const arm = (): void => {
    clearTimeout(timer);
    if (isClosed || dueMs === Infinity) return;
    const atMs = Math.max(dueMs, restUntilMs, heldUntilMs);
    timer = setTimeout(run, Math.max(0, Math.ceil(atMs - performance.now())));
  };
  const run = (): void => {
    dueMs = Infinity;
    running = runOnce().finally(() => {
      running = undefined;
      arm();
    });
  };
  const runOnce = async (): Promise<void> => {
    const startMs = performance.now();
    try {
      const waitMs = await task();
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
      await running;
    },
  };
}
