import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import type { Reply, WebhookEndpoint } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { Exchange, Platform } from "./platform.js";

/** What is used of a request of Express. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl: string;
  readonly ip?: string;
  readonly body?: unknown;
  readonly baseUrl: string;
  readonly route?: { readonly path?: unknown };
  readonly app: { get(setting: "trust proxy fn"): TrustsProxy };
  risk?: Decision;
}

/** Express compiles its setting to a function of the address and of its distance. */
type TrustsProxy = (address: string, distance: number) => boolean;

/** What is used of an application of Express. */
interface ExpressApp {
  all(
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
  ): unknown;
}

/** A request of Express with its response, as a gate sees them. */
class ExpressExchange implements Exchange {
  readonly args: [context: ExecutionContext];
  readonly request: ExpressRequest;
  readonly response: ServerResponse;

  constructor(context: ExecutionContext) {
    this.args = [context];
    this.request = context.switchToHttp().getRequest<ExpressRequest>();
    this.response = context.switchToHttp().getResponse<ServerResponse>();
  }

  /** Routers change the property `url` to what is left of it below them. */
  get url(): string {
    return this.request.originalUrl;
  }

  get ip(): string | undefined {
    return this.request.ip;
  }

  get body(): unknown {
    return this.request.body;
  }

  get route(): string | undefined {
    const { route, baseUrl } = this.request;
    return typeof route?.path === "string" ? baseUrl + route.path : undefined;
  }

  unsafeTrust(): string | undefined {
    const trusts = this.request.app.get("trust proxy fn");
    // No list holds this documentation address, and no count reaches so far.
    return trusts("192.0.2.1", 1000) ? 'Express trusts every proxy ("trust proxy")' : undefined;
  }

  attach(decision: Decision): void {
    this.request.risk = decision;
  }

  sendReply(reply: Reply): void {
    sendReply(this.response, reply);
  }

  isAnswered(): boolean {
    return this.response.headersSent;
  }
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
    endpoint.answer(request).then((reply) => sendReply(response, reply), next);
  };
}

function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (!response.headersSent) response.writeHead(status, headers).end(body);
}
