/** Something that is done from time to time. */
export interface Repetition {
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
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;
  const turn = (): void => {
    underWay ??= work(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      })
      .finally(() => {
        underWay = undefined;
      });
  };
  const timer = everyMs > 0 ? setInterval(turn, everyMs).unref() : undefined;
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await underWay;
    },
  };
}
