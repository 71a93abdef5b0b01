import { createWebhookEndpoint, type WebhookOptions } from "@riskgate/core/adapter";
import type { Middleware } from "koa";
import { sendReply } from "./send-reply.js";

export type WebhookRouteOptions = WebhookOptions;

/**
 * Receives signed deliveries: mount it without a body parser.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * router.post("/webhooks/security", webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } }));
 */
export function webhookRoute(options: WebhookRouteOptions): Middleware {
  const endpoint = createWebhookEndpoint(options, "webhookRoute");
  return async function webhookRoute(context) {
    const { rawBody, body } = context.request as { rawBody?: unknown; body?: unknown };
    const captured = rawBody instanceof Uint8Array ? rawBody : body;
    sendReply(context, await endpoint.answer(context.req, captured));
  };
}
