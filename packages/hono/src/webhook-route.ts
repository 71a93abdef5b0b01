import { webhookRoute as webRoute, type WebhookRouteOptions } from "@riskgate/web";
import type { Context, Env } from "hono";

export type { WebhookRouteOptions } from "@riskgate/web";

/**
 * Receives signed deliveries: mount it without anything in front that reads the body.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.all("/webhooks/security", webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } }));
 */
export function webhookRoute(
  options: WebhookRouteOptions,
): <E extends Env>(context: Context<E>) => Promise<Response> {
  const receive = webRoute(options);
  return (context) => receive(context.req.raw);
}
