import type { GatedRequest, WatchedRequest, WebhookEndpoint } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { AbstractHttpAdapter } from "@nestjs/core";

/** What hooks get: the context of Nest, which leads to the request, the response and the handler. */
export type HookArgs = [context: ExecutionContext];

/** A request with its response, as a gate and a watch see them. */
type Exchange = GatedRequest<HookArgs> & WatchedRequest<HookArgs>;

/** What differs between the frameworks below Nest. */
export interface Platform {
  exchange(context: ExecutionContext): Exchange;
  /** Adds a route, in front of every body parser that Nest adds. */
  addWebhook(adapter: AbstractHttpAdapter, path: string, endpoint: WebhookEndpoint): void;
}
