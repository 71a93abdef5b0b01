import { isRiskGateError } from "@riskgate/core";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { EventProcessor, ScoredEvent } from "./event-processor.js";
import type { RecordMemory } from "./record-memory.js";

/** Accepted events whose accounts are still to be judged. */
interface ScoringTask {
  /** Its `seq` in the storage. */
  readonly seq: number;
  readonly applicationId: string;
  /** Those with a score that a rule asks for. */
  readonly scored: readonly ScoredEvent[];
}

/** Judges accounts by their scores, in a transaction after the one that accepted the events. */
export interface ScoreQueue {
  /** Adds what is stored as owed. It stays owed, here and in the storage, until it is done. */
  owe(judgement: ScoringTask): void;
  /** Whether a judgement is owed here, by its `seq`. */
  has(this: void, seq: number): boolean;
  /** Drop what the storage does not have any more: another process has done it. */
  keep(seqs: ReadonlySet<number>): void;
  /**
   * Does what is owed, in order. A failure of the storage ends it: the rest is done the next time.
   *
   * @returns Ids of the applications that may have payloads from it.
   */
  settle(storage: Storage): Promise<readonly string[]>;
}

/** What the judge needs. */
export interface ScoreQueueParts {
  readonly memory: Pick<RecordMemory, "transaction">;
  readonly processor: Pick<EventProcessor, "followScores">;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Creates a judge to whom nothing is owed. */
export function createScoreQueue(parts: ScoreQueueParts): ScoreQueue {
  const { memory, processor, clock, onError } = parts;
  const owed = new Map<number, ScoringTask>();

  const judge = async (
    storage: Storage,
    { seq, applicationId, scored }: ScoringTask,
  ): Promise<void> => {
    if (scored.length === 0) return storage.pendingScorings.remove(seq);
    return memory.transaction(storage, async (inner) => {
      const application = await inner.applications.get(applicationId);
      const work = { storage: inner, application: application!, now: clock() };
      // What is owed to an application goes with it.
      if (application) await processor.followScores(work, scored);
      await inner.pendingScorings.remove(seq);
    });
  };

  return {
    owe(judgement) {
      owed.set(judgement.seq, judgement);
    },
    has: (seq) => owed.has(seq),
    keep(seqs) {
      for (const seq of owed.keys()) if (!seqs.has(seq)) owed.delete(seq);
    },
    async settle(storage) {
      const judged = new Set<string>();
      for (const one of owed.values()) {
        try {
          await judge(storage, one);
          owed.delete(one.seq);
          if (one.scored.length > 0) judged.add(one.applicationId);
        } catch (error) {
          onError(error);
          // Later ones would fail in the same way. After any other failure they need not wait.
          if (isRiskGateError(error) && error.code === "STORE_FAILED") break;
        }
      }
      return [...judged];
    },
  };
}
