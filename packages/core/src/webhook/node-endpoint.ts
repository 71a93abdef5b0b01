import type { IncomingMessage } from "node:http";
import type { Reply } from "../base/problem.js";
import type { BodyLimits } from "./body-memory.js";
import { type ArrivingDelivery, createDeliveryEndpoint, type WebhookOptions } from "./endpoint.js";
import { discardBody, isBodyRead, isBodyTaken, leaveBody, readBody } from "./read-body.js";

/** A webhook in terms of Node's own requests: what an adapter mounts. */
export interface WebhookEndpoint {
  /**
   * Refuse a request by its head, or return undefined when its body is worth reading.
   *
   * @param captured As for {@link WebhookEndpoint.accept}, if it is known by then.
   */
  refuse(request: IncomingMessage, captured?: unknown): Reply | undefined;
  /**
   * Answer a request that {@link WebhookEndpoint.refuse} let pass, reading its body. Bytes that a host
   * or a raw parser has stored in `rawBody` or `body` of the request are used as they are.
   *
   * @param captured Body that was stored elsewhere; values other than bytes are ignored, because they
   * cannot replace the bytes.
   */
  accept(request: IncomingMessage, captured?: unknown): Promise<Reply>;
  /** Refuse a request, or answer it. */
  answer(request: IncomingMessage, captured?: unknown): Promise<Reply>;
}

/**
 * Make the webhook of the adapters for Node.
 *
 * @param factory Name of the function that was called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebhookEndpoint(
  options: WebhookOptions,
  factory = "createWebhookEndpoint",
): WebhookEndpoint {
  const endpoint = createDeliveryEndpoint(options, factory);
  return {
    refuse: (request, captured) => endpoint.refuse(new NodeDelivery(request, captured)),
    accept: (request, captured) => endpoint.accept(new NodeDelivery(request, captured)),
    answer(request, captured) {
      const arriving = new NodeDelivery(request, captured);
      const refusal = endpoint.refuse(arriving);
      return refusal ? Promise.resolve(refusal) : endpoint.accept(arriving);
    },
  };
}

/** A delivery that comes as a request of Node. */
class NodeDelivery implements ArrivingDelivery {
  readonly #request: IncomingMessage;
  readonly #captured: unknown;

  constructor(request: IncomingMessage, captured: unknown) {
    this.#request = request;
    this.#captured = captured;
  }

  get method(): string | undefined {
    return this.#request.method;
  }

  header(name: string): string | readonly string[] | undefined {
    return this.#request.headers[name];
  }

  get kept(): Uint8Array | undefined {
    const { rawBody, body } = this.#request as { readonly rawBody?: unknown; body?: unknown };
    // Only bytes count: the text that parsers keep has lost a BOM and invalid UTF-8 already.
    return [this.#captured, rawBody, body].find((value) => value instanceof Uint8Array);
  }

  get isRead(): boolean {
    return isBodyRead(this.#request);
  }

  get isTaken(): boolean {
    return isBodyTaken(this.#request);
  }

  read(limits: BodyLimits): Promise<Uint8Array> {
    return readBody(this.#request, limits);
  }

  discard(limits: BodyLimits): Record<string, string> {
    return discardBody(this.#request, limits);
  }

  leave(): Record<string, string> {
    return leaveBody(this.#request);
  }
}
