import { callHook } from "../base/call-hook.js";
import type { ErrorHook } from "../base/error-report.js";
import type { OptionReader } from "../base/options.js";
import type { PolicyTerms } from "../model/policy-terms.js";
import type { Step } from "../decision/step.js";
import type { Decision } from "../model/decision.js";
import { textOf } from "../model/fact.js";

/** A decision with its request's plain identifiers, which a log must not store undigested. */
export interface MadeDecision {
  readonly decision: Decision;
  /** IP address and email as received by the gate; undefined if missing. */
  readonly ip: string | undefined;
  readonly email: string | undefined;
  /** Method and path pattern, such as `POST /signup`; undefined if the route is unknown. */
  readonly route: string | undefined;
  /** Thresholds and outcomes set in the policy. */
  readonly terms: PolicyTerms;
}

/** Stores decisions: a gate's option `log`, which receives each decision once. */
export interface DecisionLog {
  /** Accepts a decision. The request waits for this call, so it must not throw or block. */
  record(made: MadeDecision): void;
}

/**
 * Reads the option `log`.
 *
 * @param report Receives errors of the application's own log; the request continues.
 * @throws {RiskGateError} CONFIG_INVALID for an object without `record`.
 */
export function readLogStep(
  options: OptionReader,
  terms: PolicyTerms,
  report: ErrorHook,
): Step | undefined {
  const log = options.object<DecisionLog>("log", ["record"]);
  if (!log) return undefined;
  const how = { report, otherwise: undefined };
  return {
    name: "log",
    decided(decision, context) {
      const record = (): unknown => {
        const { ip, email, route } = context;
        return log.record({ decision, ip: textOf(ip), email: textOf(email), route, terms });
      };
      void callHook("`record` of the decision log", record, how);
    },
  };
}
