import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebhookEndpoint } from "@riskgate/core/adapter";
import { ExpressExchange } from "./express-exchange.js";
import type { Platform } from "./platform.js";
import { sendExpressReply } from "./send-express-reply.js";

/** Part of an Express application that is used. */
interface ExpressApp {
  all(
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
  ): unknown;
}

/** Nest on Express. */
export const expressPlatform: Platform = {
  exchange: (context) => new ExpressExchange(context),
  addWebhook(adapter, path, endpoint) {
    adapter.getInstance<ExpressApp>().all(path, receive(endpoint));
  },
};

function receive(endpoint: WebhookEndpoint): Parameters<ExpressApp["all"]>[1] {
  return function webhookRoute(request, response, next) {
    endpoint.answer(request).then((reply) => sendExpressReply(response, reply), next);
  };
}
