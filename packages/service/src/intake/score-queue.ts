import { isRiskGateError } from "@riskgate/core";
import type { ScoredEvent } from "../detection/detect.js";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { EventProcessor } from "./event-processor.js";
import type { RecordMemory } from "./record-memory.js";

/** Accepted events whose account scores are still to be evaluated. */
interface ScoringTask {
  /** `seq` of the task in the storage. */
  readonly seq: number;
  readonly applicationId: string;
  readonly scored: readonly ScoredEvent[];
}

/** Evaluates account scores, in a transaction after the one that accepted the events. */
export interface ScoreQueue {
  /** Adds a stored task. It remains here and in the storage until it is done. */
  add(task: ScoringTask): void;
  has(this: void, seq: number): boolean;
  /** Drops all other tasks, because another process has done them. */
  retain(seqs: ReadonlySet<number>): void;
  /**
   * Runs the waiting tasks in order. A storage failure stops the run; the rest is done the next time.
   *
   * @returns Ids of the applications that may have new payloads.
   */
  run(storage: Storage): Promise<readonly string[]>;
}

export interface ScoreQueueParts {
  readonly memory: Pick<RecordMemory, "transaction">;
  readonly processor: Pick<EventProcessor, "followScores">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

export function createScoreQueue(parts: ScoreQueueParts): ScoreQueue {
  const { memory, processor, clock, onError } = parts;
  const waiting = new Map<number, ScoringTask>();

  const evaluate = async (
    storage: Storage,
    { seq, applicationId, scored }: ScoringTask,
  ): Promise<void> => {
    if (scored.length === 0) return storage.pendingScorings.remove(seq);
    return memory.transaction(storage, async (inner, windows) => {
      const application = await inner.applications.get(applicationId);
      // The tasks of a deleted application are dropped.
      if (application) {
        await processor.followScores(
          { storage: inner, application, now: clock(), windows },
          scored,
        );
      }
      await inner.pendingScorings.remove(seq);
    });
  };

  return {
    add(task) {
      waiting.set(task.seq, task);
    },
    has: (seq) => waiting.has(seq),
    retain(seqs) {
      for (const seq of waiting.keys()) if (!seqs.has(seq)) waiting.delete(seq);
    },
    async run(storage) {
      const done = new Set<string>();
      for (const task of waiting.values()) {
        try {
          await evaluate(storage, task);
          waiting.delete(task.seq);
          if (task.scored.length > 0) done.add(task.applicationId);
        } catch (error) {
          onError(error);
          // Later tasks would fail in the same way; after any other error they can still run.
          if (isRiskGateError(error) && error.code === "STORE_FAILED") break;
        }
      }
      return [...done];
    },
  };
}
