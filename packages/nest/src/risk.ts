import type { Decision } from "@riskgate/core";
import { presentDecision } from "@riskgate/core/adapter";
import { createParamDecorator, type ExecutionContext } from "@nestjs/common";

/**
 * Passes the decision about a request to a parameter of its handler. If no gate has decided, the
 * request fails with NOT_GATED.
 */
export const Risk: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => requireDecision(context),
);

/**
 * Returns the decision about a request, for an interceptor or a filter.
 *
 * @throws {RiskGateError} NOT_GATED, with the handler's name, if no gate has decided.
 */
export function requireDecision(context: ExecutionContext): Decision {
  const { risk } = context.switchToHttp().getRequest<{ readonly risk?: Decision }>();
  return presentDecision(risk, `${context.getClass().name}.${context.getHandler().name}`);
}
