import { isRiskGateError } from "@riskgate/core";
import type { ScoredEvent } from "../detection/detect.js";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { EventProcessor } from "./event-processor.js";
import type { RecordMemory } from "./record-memory.js";

/** Accepted events whose accounts are still to be evaluated. */
interface ScoringTask {
  /** Its `seq` in the storage. */
  readonly seq: number;
  readonly applicationId: string;
  /** Those whose score matters. */
  readonly scored: readonly ScoredEvent[];
}

/** Evaluates accounts by their scores, in a transaction after the one that accepted the events. */
export interface ScoreQueue {
  /** Adds a stored task. It stays, here and in the storage, until it is done. */
  add(task: ScoringTask): void;
  /** Whether a task waits here, by its `seq`. */
  has(this: void, seq: number): boolean;
  /** Drops all other tasks: another process has done them. */
  retain(seqs: ReadonlySet<number>): void;
  /**
   * Does what waits, in order. A failure of the storage stops it; the rest is done the next time.
   *
   * @returns Ids of the applications that may have payloads from it.
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
          // Later ones would fail in the same way. After any other failure they need not wait.
          if (isRiskGateError(error) && error.code === "STORE_FAILED") break;
        }
      }
      return [...done];
    },
  };
}
