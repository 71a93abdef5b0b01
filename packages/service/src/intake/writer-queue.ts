import type { Storage } from "../storage/storage.js";
import { createQueue } from "./queue.js";

/** Runs work under the writer lock, which puts the work of all processes in order. */
export interface WriterQueue {
  /**
   * Runs work under the writer lock, after all earlier work. Work that waits at the same time shares
   * it: to get the lock, and to load what others stored meanwhile, costs as much as a report.
   */
  run<T>(work: (turn: Storage) => Promise<T>): Promise<T>;
  /** Runs work without the lock, after all earlier work. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when no work is left. */
  idle(): Promise<void>;
}

/** Most pieces of work under one lock, so that another process soon gets it. */
const MAX_TOGETHER = 32;

interface Waiting {
  /** Never rejects. */
  work(turn: Storage): Promise<void>;
  fail(error: unknown): void;
}

/** @param begin Runs first each time; if it fails, so does everything that waits. */
export function createWriterQueue(
  storage: Storage,
  begin: (turn: Storage) => Promise<void>,
): WriterQueue {
  const queue = createQueue();
  const waiting: Waiting[] = [];
  let isComing = false;

  const take = async (): Promise<void> => {
    // Later work waits for the next lock, which also finishes what this one leaves undone.
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
      // Work may have arrived meanwhile.
      do await queue.idle();
      while (waiting.length > 0);
    },
  };
}
