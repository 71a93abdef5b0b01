import type { IncomingMessage, ServerResponse } from "node:http";
import { ExpressExchange, type ExpressRequest, sendExpressReply } from "@riskgate/core/internal";
import type { WebhookEndpoint } from "@riskgate/core/adapter";
import type { Platform } from "./platform.js";

interface ExpressApp {
  all(
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
  ): unknown;
}

export const expressPlatform: Platform = {
  exchange(context) {
    const http = context.switchToHttp();
    return new ExpressExchange(
      http.getRequest<ExpressRequest>(),
      http.getResponse<ServerResponse>(),
      [context],
    );
  },
  addWebhook(adapter, path, endpoint) {
    adapter.getInstance<ExpressApp>().all(path, receive(endpoint));
  },
};

function receive(endpoint: WebhookEndpoint): Parameters<ExpressApp["all"]>[1] {
  return function webhookRoute(request, response, next) {
    endpoint.answer(request).then((reply) => sendExpressReply(response, reply), next);
  };
}
