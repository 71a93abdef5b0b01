/** Does pieces of work one after the other, in the order they come. */
export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when no work is left. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      // The caller gets the failure; the next piece of work starts all the same.
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
