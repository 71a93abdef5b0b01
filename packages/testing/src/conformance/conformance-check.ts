import { AssertionError } from "node:assert/strict";
import type { ContractCheck } from "../base/contract-check.js";

/**
 * Level of a rule: `must` is a requirement of the specification, or prevents unverified deliveries;
 * `should` is our advice if the specification leaves the choice.
 */
export type RuleLevel = "must" | "should";

/** One deviation, described for a report without secrets and digests. */
export interface Deviation {
  readonly sent: string;
  readonly expected: string;
  readonly received: string;
}

export interface Examination {
  /** Empty if the rule holds. */
  readonly deviations: readonly Deviation[];
  readonly skipped?: string;
}

/** A rule for a server in any language, given only its address. */
export interface ConformanceCheck<Target> extends ContractCheck<Target> {
  readonly level: RuleLevel;
  /** Advice if the rule does not hold. */
  readonly remedy: string;
  /**
   * Tests the rule, and returns all deviations.
   *
   * @throws {RiskGateError} NETWORK if no connection can be made.
   */
  examine(target: Target): Promise<Examination>;
}

/** Creates a check for any test runner; `run` rejects with all deviations. */
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
