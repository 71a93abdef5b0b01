import type { IncomingMessage } from "node:http";
import type { Reply } from "../base/problem.js";
import { createDeliveryEndpoint, type DeliverySource, type WebhookOptions } from "./endpoint.js";
import { discardBody, isBodyRead, isBodyTaken, leaveBody, readBody } from "./read-body.js";

/** A webhook for Node's requests, which an adapter mounts. */
export interface WebhookEndpoint {
  /**
   * Refuses a request by its head, or returns undefined if its body should be read.
   * @param captured As for {@link WebhookEndpoint.accept}, if it is already known.
   */
  refuse(request: IncomingMessage, captured?: unknown): Reply | undefined;
  /**
   * Reads the body of a request that {@link WebhookEndpoint.refuse} accepted, and responds. Bytes
   * that a host or a raw parser stored in the request's `rawBody` or `body` are used unchanged.
   * @param captured Body that was stored elsewhere; values other than bytes are ignored.
   */
  accept(request: IncomingMessage, captured?: unknown): Promise<Reply>;
  answer(request: IncomingMessage, captured?: unknown): Promise<Reply>;
}

/**
 * Creates the webhook of the adapters for Node.
 * @param factory Name of the function that was called, for messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebhookEndpoint(
  options: WebhookOptions,
  factory = "createWebhookEndpoint",
): WebhookEndpoint {
  const endpoint = createDeliveryEndpoint(options, factory, NODE_REQUESTS);
  return {
    refuse: (request, captured) => endpoint.refuse(request, keptBody(request, captured)),
    accept: (request, captured) => endpoint.accept(request, keptBody(request, captured)),
    answer(request, captured) {
      const kept = keptBody(request, captured);
      const refusal = endpoint.refuse(request, kept);
      return refusal ? Promise.resolve(refusal) : endpoint.accept(request, kept);
    },
  };
}

const NODE_REQUESTS: DeliverySource<IncomingMessage> = {
  url: (request) =>
    String((request as { readonly originalUrl?: string }).originalUrl ?? request.url),
  header: ({ headers }, name) => headers[name],
  isRead: isBodyRead,
  isTaken: isBodyTaken,
  read: readBody,
  discard: discardBody,
  leave: leaveBody,
};

/** Only bytes count: text from a parser has already lost its BOM and invalid UTF-8. */
function keptBody(request: IncomingMessage, captured: unknown): Uint8Array | undefined {
  if (captured instanceof Uint8Array) return captured;
  const { rawBody, body } = request as { readonly rawBody?: unknown; readonly body?: unknown };
  if (rawBody instanceof Uint8Array) return rawBody;
  return body instanceof Uint8Array ? body : undefined;
}
