import type { Decision } from "../model/decision.js";
import { RiskGateError } from "../base/errors.js";

/**
 * Returns the decision that a handler needs.
 *
 * @param decision As the adapter finds it on the request.
 * @param route Method and path of the route, for the message.
 * @throws {RiskGateError} NOT_GATED if no gate has decided.
 */
export function presentDecision(decision: Decision | null | undefined, route: string): Decision {
  if (decision) return decision;
  throw new RiskGateError("NOT_GATED", `no gate has decided about ${route}`);
}
