import { FLAG_ABOVE, REJECT_ABOVE } from "@riskgate/core";
import type { LookupResult } from "../http/metrics.js";

/** How lookups ended: what a gate with the default thresholds makes of the score, or why there is none. */
const LOOKUP_OUTCOMES = ["allow", "flag", "reject", "refused", "failed"] as const;
type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** Lookups of one step of time. */
interface LookupStep extends Readonly<Record<LookupOutcome, number>> {
  /** Start, in Unix time in milliseconds. */
  readonly startMs: number;
}

/** Lookups of the last day, in memory: it starts anew with the process. */
export interface LookupHistory {
  /** @param score Highest score of the answer; undefined where there was none. */
  count(result: LookupResult, score?: number): void;
  /** The steps with lookups, oldest first. */
  steps(): readonly LookupStep[];
}

/** Length of a step in milliseconds. */
export const STEP_MS = 300_000;

/** Steps of one day. */
const STEPS = 288;

/**
 * Makes an empty history.
 *
 * @param epochMs Time of day in milliseconds.
 */
export function createLookupHistory(epochMs: () => number = Date.now): LookupHistory {
  const slots: ({ number: number } & Record<LookupOutcome, number>)[] = [];
  const currentNumber = (): number => Math.floor(epochMs() / STEP_MS);
  return {
    count(result, score) {
      const number = currentNumber();
      const at = number % STEPS;
      let slot = slots[at];
      if (slot?.number !== number) {
        slot = slots[at] = { number, allow: 0, flag: 0, reject: 0, refused: 0, failed: 0 };
      }
      slot[outcomeOf(result, score)]++;
    },
    steps() {
      const last = currentNumber();
      return slots
        .filter(({ number }) => number > last - STEPS && number <= last)
        .toSorted((one, other) => one.number - other.number)
        .map(({ number, ...counts }) => ({ startMs: number * STEP_MS, ...counts }));
    },
  };
}

function outcomeOf(result: LookupResult, score: number | undefined): LookupOutcome {
  if (result === "failed" || result === "sandbox_fault") return "failed";
  if (score === undefined) return "refused";
  if (score > REJECT_ABOVE) return "reject";
  return score > FLAG_ABOVE ? "flag" : "allow";
}
