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

interface Waiter {
  /** Dropped when it acquires its place or leaves. */
  onAcquired: (() => void) | undefined;
}

/** Make a semaphore with `count` places. */
export function createSemaphore(count: number): Semaphore {
  let free = count;
  // An array, and waiters that drop what they hold: the old tables of a growing set, and links from
  // old objects, keep finished calls until the next full collection, which costs more than the rest.
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
