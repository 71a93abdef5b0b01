import type { Storage } from "../storage/storage.js";
import { createQueue } from "./queue.js";

/** Runs work under the writer lock, which orders the work of all processes. */
export interface WriterQueue {
  /**
   * Runs work under the writer lock, after all previous work. Work that is waiting at the same time
   * shares the lock, because taking it and loading other processes' changes costs as much as a report.
   */
  run<T>(work: (turn: Storage) => Promise<T>): Promise<T>;
  /** Runs work without the lock, after all previous work. */
  between<T>(work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
}

/** Maximum number of tasks under one lock, so that another process gets the lock soon. */
const MAX_TOGETHER = 32;

interface Waiting {
  /** Never rejects. */
  work(turn: Storage): Promise<void>;
  fail(error: unknown): void;
}

/** @param begin Runs first each time the lock is taken; if it fails, so does all waiting work. */
export function createWriterQueue(
  storage: Storage,
  begin: (turn: Storage) => Promise<void>,
): WriterQueue {
  const queue = createQueue();
  const waiting: Waiting[] = [];
  let isComing = false;

  const take = async (): Promise<void> => {
    // Later work waits for the next lock, whose `begin` also finishes any work left undone.
    const together = waiting.splice(0, MAX_TOGETHER);
    try {
      await storage.withWriterLock(async (turn) => {
        await begin(turn);
        while (together.length > 0) await together.shift()!.work(turn);
      });
    } catch (error) {
      for (const one of together) one.fail(error);
    }
    isComing = waiting.length > 0;
    if (isComing) void queue.run(take);
  };

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work: async (turn) => work(turn).then(resolve, reject), fail: reject });
        if (!isComing) void queue.run(take);
        isComing = true;
      }),
    between: (work) => queue.run(work),
    async idle() {
      // Work may have arrived in the meantime.
      do await queue.idle();
      while (waiting.length > 0);
    },
  };
}
