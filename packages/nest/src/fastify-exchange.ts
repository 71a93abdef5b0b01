import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import type { Reply } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { Exchange } from "./platform.js";
import { type FastifyReply, sendFastifyReply } from "./send-fastify-reply.js";
import { unsafeFastifyTrust } from "./unsafe-fastify-trust.js";

/** Part of a Fastify request that is used. */
export interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  readonly ip: string;
  readonly body: unknown;
  readonly rawBody?: unknown;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly server: object;
  risk?: Decision;
}

/** A request of Fastify with its reply, as a gate sees them. */
export class FastifyExchange implements Exchange {
  readonly args: [context: ExecutionContext];
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(context: ExecutionContext) {
    this.args = [context];
    this.#request = context.switchToHttp().getRequest<FastifyRequest>();
    this.#reply = context.switchToHttp().getResponse<FastifyReply>();
  }

  get request(): IncomingMessage {
    return this.#request.raw;
  }

  get response(): ServerResponse {
    return this.#reply.raw;
  }

  get url(): string {
    return this.#request.originalUrl;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get body(): unknown {
    return this.#request.body;
  }

  get route(): string | undefined {
    return this.#request.routeOptions.url;
  }

  unsafeTrust(): string | undefined {
    return unsafeFastifyTrust(this.#request);
  }

  attach(decision: Decision): void {
    this.#request.risk = decision;
  }

  addHeader(name: string, value: string): void {
    // Fastify collects cookies itself, and replaces any other header.
    const earlier = name.toLowerCase() === "set-cookie" ? undefined : this.#reply.getHeader(name);
    void this.#reply.header(name, earlier === undefined ? value : [earlier, value].join(", "));
  }

  sendReply(reply: Reply): void {
    sendFastifyReply(this.#reply, reply);
  }

  isAnswered(): boolean {
    // A hook that writes through `reply.raw` has answered, although Fastify does not know.
    return this.#reply.sent || this.#reply.raw.headersSent;
  }
}
