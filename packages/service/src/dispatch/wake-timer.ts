import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Runs a task repeatedly, when it is due and on request, but never twice at the same time. */
export interface WakeTimer {
  readonly wake: () => void;
  /** Runs the task now, without the usual pause after the last run. */
  readonly hurry: () => void;
  /** Prevents the task from running for this time, even on request, and runs it afterwards. */
  readonly hold: (ms: number) => void;
  /** Stops the timer; resolves when no run is in progress. */
  close(): Promise<void>;
}

/** The pause after a run, as a multiple of its duration: a slow task is repeated less often. */
const GAP_FACTOR = 10;

/** Maximum pause: a run may have been slow only because it waited for the storage. */
const MAX_GAP_MS = 100;

/**
 * Creates the timer of a task.
 *
 * @param task Resolves to the milliseconds until the task is due again.
 * @param onFailure Called with the error if the task rejects.
 * @param minGapMs Minimum pause between two runs, so that a burst of requests causes only one; default 5.
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
    // A request made during a run is scheduled after it.
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
