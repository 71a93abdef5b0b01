/** Does pieces of work one after the other, in the order they come. */
export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is left. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      // Whoever waits for the work hears of its failure; the next one starts all the same.
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
