import { isThenable } from "../model/awaitable.js";
import type { Decision } from "../model/decision.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import type { PolicyTerms } from "../decision/policy.js";

/** A decision with what it was about. The identifiers are plain: a log must not keep them so. */
export interface MadeDecision {
  readonly decision: Decision;
  /** IP address and email as the gate was given them; undefined where it was given no text. */
  readonly ip: string | undefined;
  readonly email: string | undefined;
  /** Method and path pattern, such as `POST /signup`; undefined where nobody named a route. */
  readonly route: string | undefined;
  /** What the policy decided by. */
  readonly terms: PolicyTerms;
}

/** Keeps decisions: the option `log` of a gate, which hands over each decision once. */
export interface DecisionLog {
  /** Take a decision over. It is called before the request goes on: must not throw and must not wait. */
  record(made: MadeDecision): void;
}

/**
 * Hands a decision over to the log, where there is one. Never throws, whatever the log does.
 *
 * @param facts What was decided about, in any form that a request can give it.
 * @param routeOf Names the route.
 */
export type KeepDecision = (
  decision: Decision,
  facts: { readonly ip?: unknown; readonly email?: unknown },
  routeOf: () => string | undefined,
) => void;

/**
 * Read the option `log`.
 *
 * @param report Receives the failures of a log of the application; the request goes on.
 * @throws {RiskGateError} CONFIG_INVALID for an object without `record`.
 */
export function readDecisionLog(
  options: OptionReader,
  terms: PolicyTerms,
  report: ErrorHook,
): KeepDecision {
  const log = options.object<DecisionLog>("log", ["record"]);
  if (!log) return () => {};
  const failed = (cause: unknown): void =>
    report(new RiskGateError("HOOK_FAILED", "`record` of the decision log failed", { cause }));
  return (decision, { ip, email }, routeOf) => {
    try {
      const made = { decision, ip: textOf(ip), email: textOf(email), route: routeOf(), terms };
      const result: unknown = log.record(made);
      if (isThenable(result)) result.then(undefined, failed);
    } catch (cause) {
      failed(cause);
    }
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
