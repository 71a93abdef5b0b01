export interface Repetition {
  now(): void;
  /** Stops the repetition, aborts the current run and waits for it to end. */
  stop(): Promise<void>;
}

/**
 * Runs a task at intervals, never twice at once. Its timer does not keep the process alive.
 *
 * @param everyMs 0 for never.
 */
export function repeat(
  everyMs: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | undefined;
  let isDueAgain = false;
  const run = (): void => {
    isDueAgain = false;
    underWay ??= task(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        underWay = undefined;
        if (isDueAgain && !stopping.signal.aborted) run();
      });
  };
  const timer = everyMs > 0 ? setInterval(run, everyMs).unref() : undefined;
  return {
    now() {
      if (underWay) isDueAgain = true;
      else run();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}
