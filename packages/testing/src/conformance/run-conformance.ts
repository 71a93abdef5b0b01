import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ConformanceCheck, Deviation, Examination, RuleLevel } from "./conformance-check.js";

/** Result of one rule. `warned` is a `should` that does not hold. */
export interface ConformanceResult {
  readonly id: string;
  readonly title: string;
  readonly level: RuleLevel;
  readonly state: "passed" | "failed" | "warned" | "skipped";
  readonly elapsedMs: number;
  readonly deviations: readonly Deviation[];
  /** Advice if the rule does not hold. */
  readonly remedy?: string;
  readonly reason?: string;
}

export interface ConformanceOptions {
  /** Cases to run, such as `RCV-03`; default all. The contract's first case always runs. */
  readonly only?: readonly string[] | undefined;
  /** Treats every `should` as a `must`; default false. */
  readonly strict?: boolean;
}

/**
 * Runs a contract case by case, in order. If the first case fails, refusals prove nothing, and all
 * others are skipped.
 * @throws {RiskGateError} INVALID_ARGUMENT for an unknown case; NETWORK if no connection can be
 * established for the first case.
 */
export async function* runConformance<Target>(
  contract: readonly ConformanceCheck<Target>[],
  target: Target,
  { only, strict = false }: ConformanceOptions = {},
): AsyncGenerator<ConformanceResult> {
  const unknown = only?.find((id) => !contract.some((check) => check.id === id));
  if (unknown !== undefined) {
    const [first, last] = [contract.at(0)?.id, contract.at(-1)?.id];
    throw new RiskGateError("INVALID_ARGUMENT", `unknown case ${unknown}`, {
      hint: `The cases of this contract are ${first} to ${last}`,
    });
  }
  let isGrounded = true;
  for (const [at, check] of contract.entries()) {
    const { id, title, level, remedy } = check;
    if (at > 0 && only && !only.includes(id)) continue;
    const startedMs = performance.now();
    const found: Examination = isGrounded
      ? await examine(check, target, at === 0)
      : {
          deviations: [],
          skipped: `${contract[0]!.id} failed, so no other answer proves anything`,
        };
    const { deviations, skipped } = found;
    const elapsedMs = Math.round(performance.now() - startedMs);
    const result = { id, title, level, elapsedMs, deviations };
    if (skipped !== undefined) yield { ...result, state: "skipped", reason: skipped };
    else if (deviations.length === 0) yield { ...result, state: "passed" };
    else yield { ...result, state: level === "must" || strict ? "failed" : "warned", remedy };
    if (at === 0) isGrounded = deviations.length === 0;
  }
}

async function examine<Target>(
  check: ConformanceCheck<Target>,
  target: Target,
  isFirst: boolean,
): Promise<Examination> {
  try {
    return await check.examine(target);
  } catch (error) {
    if (isFirst || !isRiskGateError(error)) throw error;
    const deviation = { sent: "a request", expected: "a connection", received: error.message };
    return { deviations: [deviation] };
  }
}
