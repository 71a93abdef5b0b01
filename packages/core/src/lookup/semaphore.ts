/** A fixed number of places, assigned in order of arrival. */
export interface Semaphore {
  /**
   * Calls `onAcquired` as soon as a place is free, perhaps at once. Each place must be released once.
   *
   * @returns Leaves the queue; does nothing after the place was acquired.
   */
  acquire(onAcquired: () => void): () => void;
  release(): void;
}

interface Waiter {
  /** Dropped when the waiter acquires its place or leaves. */
  onAcquired: (() => void) | undefined;
}

/** Makes a semaphore with `count` places. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  // An array, and waiters that drop their function: the old tables of a growing set, and links from
  // old objects, would keep finished calls until the next full collection, the largest cost here.
  const queue: Waiter[] = [];

  return {
    acquire(onAcquired) {
      if (free > 0) {
        free--;
        onAcquired();
        return () => {};
      }
      const waiter: Waiter = { onAcquired };
      queue.push(waiter);
      return () => {
        waiter.onAcquired = undefined;
      };
    },

    release() {
      // The place goes straight to the next waiter, so that a newcomer cannot overtake.
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { onAcquired } = next;
        if (!onAcquired) continue;
        next.onAcquired = undefined;
        onAcquired();
        return;
      }
      free++;
    },
  };
}
