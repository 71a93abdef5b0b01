/** A fixed number of places, given out in order of arrival. */
export interface Semaphore {
  /**
   * Call `onAcquired` when there is a place, at once if there is one now. Each place must be
   * released once.
   *
   * @returns Leaves the queue; does nothing once the place is acquired.
   */
  acquire(onAcquired: () => void): () => void;
  release(): void;
}

/** Make a semaphore with `count` places. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  // A set keeps the order of insertion, and a waiter leaves it without a search.
  const waiting = new Set<{ readonly onAcquired: () => void }>();

  return {
    acquire(onAcquired) {
      if (free > 0) {
        free--;
        onAcquired();
        return () => {};
      }
      // An object of its own for each waiter: two may pass the same function.
      const waiter = { onAcquired };
      waiting.add(waiter);
      return () => void waiting.delete(waiter);
    },

    release() {
      // The place goes straight to the first waiter, so that a newcomer cannot overtake.
      const [next] = waiting;
      if (!next) {
        free++;
        return;
      }
      waiting.delete(next);
      next.onAcquired();
    },
  };
}
