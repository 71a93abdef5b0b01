import type { Outcome } from "@riskgate/core";
import { outcomeOf } from "@riskgate/core/internal";
import type { AnsweredLookup, LookupObserver } from "./answered-lookup.js";

/** Outcome by the default thresholds, which never challenge, or why there was no score. */
type LookupOutcome = Exclude<Outcome, "challenge"> | "refused" | "limited" | "failed";

/** Lookup counts for a period of five minutes. */
interface StepCounts extends Readonly<Record<LookupOutcome, number>> {
  /** Start of the period, in Unix time in milliseconds. */
  readonly startMs: number;
}

/** Lookup counts for the last day, in memory: they start at zero with the process. */
export interface LookupHistory {
  readonly count: LookupObserver;
  /** Returns the steps that have lookups, oldest first. */
  steps(): readonly StepCounts[];
}

/** Length of a step in milliseconds. */
export const STEP_MS = 300_000;

/** Number of steps in a day. */
const STEPS = 288;

/**
 * Creates an empty history.
 *
 * @param epochMs Returns the Unix time in milliseconds.
 */
export function createLookupHistory(epochMs: () => number = Date.now): LookupHistory {
  const slots: ({ number: number } & Record<LookupOutcome, number>)[] = [];
  return {
    count(lookup) {
      const number = Math.floor(epochMs() / STEP_MS);
      const at = number % STEPS;
      let slot = slots[at];
      if (slot?.number !== number) {
        slot = slots[at] = {
          number,
          allow: 0,
          flag: 0,
          reject: 0,
          refused: 0,
          limited: 0,
          failed: 0,
        };
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
  if (result === "rate_limited") return "limited";
  if (received === undefined) return "refused";
  return outcomeOf(received.score) as Exclude<Outcome, "challenge">;
}
