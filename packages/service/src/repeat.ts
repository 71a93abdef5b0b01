/** Something that is done from time to time. */
export interface Repetition {
  /** Do it no more, and wait for what is under way. */
  stop(): Promise<void>;
}

/**
 * Do something from time to time, never twice at once. It is no reason to keep the process.
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
