import type { Outcome } from "@riskgate/core";
import { outcomeOf } from "@riskgate/core/internal";
import type { AnsweredLookup, LookupObserver } from "./answered-lookup.js";

/** Outcome by the default thresholds, none of which challenges, or why there was no score. */
type LookupOutcome = Exclude<Outcome, "challenge"> | "refused" | "failed";

/** Lookups of five minutes. */
interface StepCounts extends Readonly<Record<LookupOutcome, number>> {
  /** Start, in Unix time in milliseconds. */
  readonly startMs: number;
}

/** Counts of the last day's lookups, in memory: they start at zero with the process. */
export interface LookupHistory {
  readonly count: LookupObserver;
  /** Returns the steps with lookups, oldest first. */
  steps(): readonly StepCounts[];
}

/** Length of a step in milliseconds. */
export const STEP_MS = 300_000;

/** Steps of one day. */
const STEPS = 288;

/**
 * Creates an empty history.
 *
 * @param epochMs Time of day in milliseconds.
 */
export function createLookupHistory(epochMs: () => number = Date.now): LookupHistory {
  const slots: ({ number: number } & Record<LookupOutcome, number>)[] = [];
  return {
    count(lookup) {
      const number = Math.floor(epochMs() / STEP_MS);
      const at = number % STEPS;
      let slot = slots[at];
      if (slot?.number !== number) {
        slot = slots[at] = { number, allow: 0, flag: 0, reject: 0, refused: 0, failed: 0 };
      }
      slot[countedAs(lookup)]++;
    },
    steps() {
      const last = Math.floor(epochMs() / STEP_MS);
      return slots
        .filter(({ number }) => number > last - STEPS && number <= last)
        .toSorted((one, other) => one.number - other.number)
        .map(({ number, ...counts }) => ({ startMs: number * STEP_MS, ...counts }));
    },
  };
}

function countedAs({ result, received }: AnsweredLookup): LookupOutcome {
  if (result === "failed" || result === "sandbox_fault") return "failed";
  if (received === undefined) return "refused";
  return outcomeOf(received.score) as Exclude<Outcome, "challenge">;
}
