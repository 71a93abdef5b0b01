import { createWebhookEndpoint, type WebhookOptions } from "@riskgate/core/adapter";
import { sendExpressReply } from "@riskgate/core/internal";
import type { RequestHandler } from "express";

export type WebhookRouteOptions = WebhookOptions;

/**
 * Receives signed deliveries: mount it without a body parser, or after `express.raw()`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/webhooks/security", webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } }));
 */
export function webhookRoute(options: WebhookRouteOptions): RequestHandler {
  const endpoint = createWebhookEndpoint(options, "webhookRoute");
  return function webhookRoute(request, response, next) {
    endpoint.answer(request).then((reply) => sendExpressReply(response, reply), next);
  };
}
