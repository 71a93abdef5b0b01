import { webhookRoute as webRoute, type WebhookRouteOptions } from "@riskgate/web";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
import { receiveEvent } from "./receive-event.js";

export type { WebhookRouteOptions } from "@riskgate/web";

/**
 * Receives signed deliveries.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const handler = webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } });
 */
export function webhookRoute(
  options: WebhookRouteOptions,
): (event: LambdaEvent, context: LambdaContext) => Promise<LambdaResult> {
  const receive = webRoute(options);
  return async (event, context) =>
    (await receiveEvent(event, context, ({ request }) => receive(request)))!;
}
