import { createDeliveryEndpoint, type WebhookOptions } from "@riskgate/core/web";
import { responseOf } from "./response-of.js";
import { WEB_REQUESTS } from "./web-delivery.js";

export type WebhookRouteOptions = WebhookOptions;

/** Responds to a delivery. */
export type WebhookRoute = (request: Request) => Promise<Response>;

/**
 * Receives signed deliveries: pass it the request before anything reads its body.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * const receive = webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } });
 * export default { fetch: (request: Request) => receive(request) };
 */
export function webhookRoute(options: WebhookRouteOptions): WebhookRoute {
  const endpoint = createDeliveryEndpoint(options, "webhookRoute", WEB_REQUESTS);
  return async function webhookRoute(request) {
    return responseOf(endpoint.refuse(request) ?? (await endpoint.accept(request)));
  };
}
