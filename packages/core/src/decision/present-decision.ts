import type { Decision } from "../model/decision.js";
import { RiskGateError } from "../base/errors.js";

/**
 * Returns the decision for a handler.
 *
 * @param decision Decision found on the request by the adapter.
 * @param route Method and path of the route, for the error message.
 * @throws {RiskGateError} NOT_GATED if no gate has made a decision.
 */
export function presentDecision(decision: Decision | null | undefined, route: string): Decision {
  if (decision) return decision;
  throw new RiskGateError("NOT_GATED", `no gate has decided about ${route}`);
}
