import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import type { GatedRequest, Reply } from "@riskgate/core/adapter";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendReply } from "./send-reply.js";
import { unsafeTrust } from "./unsafe-trust.js";

/** A request of Fastify with its reply, as a gate sees them. */
export class GatedExchange implements GatedRequest<[request: FastifyRequest, reply: FastifyReply]> {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get args(): [request: FastifyRequest, reply: FastifyReply] {
    return [this.#request, this.#reply];
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
    return unsafeTrust(this.#request);
  }

  attach(decision: Decision): void {
    this.#request.risk = decision;
  }

  addHeader(name: string, value: string): void {
    // Fastify collects cookies itself, and replaces any other header.
    const earlier = name.toLowerCase() === "set-cookie" ? undefined : this.#reply.getHeader(name);
    void this.#reply.header(name, earlier === undefined ? value : `${String(earlier)}, ${value}`);
  }

  sendReply(reply: Reply): void {
    sendReply(this.#reply, reply);
  }

  isAnswered(): boolean {
    // A hook that writes through `reply.raw` has answered, although Fastify does not know.
    return this.#reply.sent || this.#reply.raw.headersSent;
  }
}
