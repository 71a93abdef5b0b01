import type { GatedRequest, WatchedRequest, WebhookEndpoint } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { AbstractHttpAdapter } from "@nestjs/core";

/** Arguments of hooks: Nest's context, which gives access to the request, response and handler. */
export type HookArgs = [context: ExecutionContext];

/** A request and its response, as seen by a gate and a watch. */
type Exchange = GatedRequest<HookArgs> & WatchedRequest<HookArgs>;

/** Differences between the frameworks beneath Nest. */
export interface Platform {
  exchange(context: ExecutionContext): Exchange;
  addWebhook(adapter: AbstractHttpAdapter, path: string, endpoint: WebhookEndpoint): void;
}
