/** Something that is done from time to time. */
export interface Repetition {
  /** Does it now, or once more after the current run. */
  now(): void;
  /** Ends it, the current run too, and waits for that. */
  stop(): Promise<void>;
}

/**
 * Does something from time to time, never twice at once. It does not keep the process running.
 *
 * @param everyMs 0 for never.
 */
export function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | undefined;
  let isDueAgain = false;
  const turn = (): void => {
    isDueAgain = false;
    underWay ??= work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        underWay = undefined;
        if (isDueAgain && !stopping.signal.aborted) turn();
      });
  };
  const timer = everyMs > 0 ? setInterval(turn, everyMs).unref() : undefined;
  return {
    now() {
      if (underWay) isDueAgain = true;
      else turn();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}
