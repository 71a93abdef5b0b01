import type { Storage } from "../storage/storage.js";
import { createQueue } from "./queue.js";

/** Work in turns, between which and those of other processes there is an order. */
export interface WriterQueue {
  /**
   * Do a piece of work in a turn, after all that came before it. What waits at the same time shares
   * one: to get a turn, and to take in what others have done meanwhile, costs as much as a report.
   */
  run<T>(work: (turn: Storage) => Promise<T>): Promise<T>;
  /** Do a piece of work outside of any turn, after all that came before it. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is left. */
  idle(): Promise<void>;
}

/** Most pieces of work in one turn, so that another process soon gets the next. */
const MAX_TOGETHER = 32;

interface Waiting {
  /** Never rejects. */
  work(turn: Storage): Promise<void>;
  fail(error: unknown): void;
}

/** @param begin Done at the start of each turn; where it fails, so does what waits. */
export function createWriterQueue(
  storage: Storage,
  begin: (turn: Storage) => Promise<void>,
): WriterQueue {
  const queue = createQueue();
  const waiting: Waiting[] = [];
  let isComing = false;

  const take = async (): Promise<void> => {
    // What comes later is for the next turn, which takes in what was left undone in this one.
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
      // Each turn may have made the next one wait.
      do await queue.idle();
      while (waiting.length > 0);
    },
  };
}
