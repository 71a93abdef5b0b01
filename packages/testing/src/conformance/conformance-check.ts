import { AssertionError } from "node:assert/strict";
import type { ContractCheck } from "../base/contract-check.js";

/**
 * How far a rule binds: `must` is what the specification demands of everyone, and what keeps an
 * unverified delivery out; `should` is our advice on questions that it leaves open.
 */
export type RuleLevel = "must" | "should";

/** One thing that was not as expected, in words for a report. They hold no secret and no digest. */
export interface Deviation {
  readonly sent: string;
  readonly expected: string;
  readonly received: string;
}

/** Findings of a run. */
export interface Examination {
  /** Empty where the rule holds. */
  readonly deviations: readonly Deviation[];
  /** Why nothing could be judged. */
  readonly skipped?: string;
}

/** A rule for something that is known by its address alone, in whatever language it is written. */
export interface ConformanceCheck<Target> extends ContractCheck<Target> {
  readonly level: RuleLevel;
  /** Remedy if the rule does not hold. */
  readonly remedy: string;
  /**
   * Try everything that the rule is about, and tell all that is not as expected.
   *
   * @throws {RiskGateError} NETWORK when no connection can be made.
   */
  examine(target: Target): Promise<Examination>;
}

/** Make a check of its examination; `run` rejects with all deviations, for any test runner. */
export function conformanceCheck<Target>(
  check: Omit<ConformanceCheck<Target>, "run" | "timeoutMs">,
): ConformanceCheck<Target> {
  return {
    ...check,
    timeoutMs: 120_000,
    async run(target) {
      const { deviations } = await check.examine(target);
      if (deviations.length === 0) return;
      const lines = deviations.map(
        ({ sent, expected, received }) =>
          `sent ${sent}: expected ${expected}, received ${received}`,
      );
      throw new AssertionError({ message: lines.join("\n") });
    },
  };
}
