/** Something that is done from time to time. */
export interface Repetition {
  /** Ends it, and waits for the current run. */
  stop(): Promise<void>;
}

/**
 * Does something from time to time, never twice at once. It does not keep the process running.
 *
 * @param everyMs 0 for never.
 */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repetition {
  let underWay: Promise<void> | undefined;
  const turn = (): void => {
    underWay ??= work()
      .catch(onError)
      .finally(() => {
        underWay = undefined;
      });
  };
  const timer = everyMs > 0 ? setInterval(turn, everyMs).unref() : undefined;
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
