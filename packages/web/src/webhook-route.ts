import { createDeliveryEndpoint, type WebhookOptions } from "@riskgate/core/web";
import { responseOf } from "./response-of.js";
import { WebDelivery } from "./web-delivery.js";

/** Options of {@link webhookRoute}. */
export type WebhookRouteOptions = WebhookOptions;

/** Answers a delivery. */
export type WebhookRoute = (request: Request) => Promise<Response>;

/**
 * Receives signed deliveries: hand it the request before anything reads its body.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * const receive = webhookRoute({ secrets, on: { pulse: (incident) => page(incident) } });
 * export default { fetch: (request: Request) => receive(request) };
 */
export function webhookRoute(options: WebhookRouteOptions): WebhookRoute {
  const endpoint = createDeliveryEndpoint(options, "webhookRoute");
  return async function webhookRoute(request) {
    const arriving = new WebDelivery(request);
    return responseOf(endpoint.refuse(arriving) ?? (await endpoint.accept(arriving)));
  };
}
