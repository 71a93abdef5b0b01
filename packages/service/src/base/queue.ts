export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      // The caller receives the error; the next task starts regardless.
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
