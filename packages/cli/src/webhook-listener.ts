import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createMemorySeenStore,
  type HandlerContext,
  type Receipt,
  type Secrets,
  type WebhookHandlers,
} from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";

/** One request to a listener, and what became of it. */
export interface HeardDelivery {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Why it was refused. */
  readonly code?: string;
  /** Id of the secret that matched. */
  readonly secret?: string;
  /** Payloads that were heard earlier already. */
  readonly duplicates: number;
  /** As they were sent; only those of a verified delivery that are new. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
}

/** Options of {@link createWebhookListener}. */
export interface ListenerOptions {
  readonly secrets: Secrets;
  readonly maxBytes: number;
  /** Status to answer instead of a success. */
  readonly answer?: number;
}

/** Make a receiver for `createServer`, which verifies and refuses as an application does. */
export function createWebhookListener({
  secrets,
  maxBytes,
  answer,
}: ListenerOptions): (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<HeardDelivery> {
  const seen = createMemorySeenStore();
  return async (request, response) => {
    const payloads: HandlerContext["raw"][] = [];
    let receipt: Receipt | undefined;
    // One endpoint a request, so that what the handlers are told belongs to this one.
    const endpoint = createWebhookEndpoint({
      secrets,
      maxBytes,
      seen,
      on: handlersOf((raw) => payloads.push(raw)),
      onReceipt: (made) => (receipt = made),
    });
    const reply = await endpoint.answer(request);
    const isGood = reply.status <= 299;
    const status = isGood ? (answer ?? reply.status) : reply.status;
    response.writeHead(status, reply.headers).end(reply.body);
    return {
      method: request.method ?? "",
      path: request.url ?? "",
      status,
      ...(!isGood && { code: codeOf(reply.body) }),
      ...(receipt?.secretId !== undefined && { secret: receipt.secretId }),
      duplicates: receipt?.duplicates ?? 0,
      payloads,
    };
  };
}

function handlersOf(hear: (raw: HandlerContext["raw"]) => void): WebhookHandlers {
  const handler = (_: unknown, { raw }: HandlerContext): void => hear(raw);
  return {
    security_event: handler,
    pulse: handler,
    security_response: handler,
    test: handler,
    unknown: handler,
  };
}

function codeOf(problem: string): string {
  return (JSON.parse(problem) as { code: string }).code;
}
