export interface Semaphore {
  /**
   * Calls `onAcquired` when a slot is free, possibly synchronously. Each must be released once.
   *
   * @returns A function that leaves the queue; it has no effect once the slot is acquired.
   */
  acquire(onAcquired: () => void): () => void;
  release(): void;
}

interface Waiter {
  /** Cleared when the waiter acquires its slot or leaves. */
  onAcquired: (() => void) | undefined;
}

export function createSemaphore(count: number): Semaphore {
  let free = count;
  // Waiters clear their function: old tables of a growing set, or links from old objects, would
  // retain finished calls until the next full collection, the largest cost here.
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
      // The slot passes directly to the next waiter, so that no new caller can overtake.
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
