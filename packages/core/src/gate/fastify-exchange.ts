import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reply } from "../base/problem.js";
import { readAnyBody } from "../decision/body-readings.js";
import type { GatedRequest } from "../decision/gated-request.js";
import type { Decision } from "../model/decision.js";

export interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  readonly ip: string;
  readonly body: unknown;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly server: object;
  risk?: Decision | undefined;
}

export interface FastifyReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): unknown;
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
  headers(headers: Reply["headers"]): unknown;
  send(body?: unknown): unknown;
}

export class FastifyExchange<
  Args extends readonly [unknown, ...unknown[]],
> implements GatedRequest<Args> {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly args: Args;

  constructor(request: FastifyRequest, reply: FastifyReply, args: Args) {
    this.#request = request;
    this.#reply = reply;
    this.args = args;
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
    return readAnyBody(this.#request.body, this.#request.raw);
  }

  get route(): string | undefined {
    return this.#request.routeOptions.url;
  }

  /** Fastify does not expose its setting, but a synthetic request shows which proxies it trusts. */
  unsafeTrust(): string | undefined {
    // No list contains these documentation addresses, and no proxy count is this high.
    const headers = { "x-forwarded-for": `192.0.2.2${", 192.0.2.1".repeat(999)}` };
    const raw = { value: { headers, socket: { remoteAddress: "192.0.2.3" } } };
    const { ip } = Object.create(this.#request, { raw }) as FastifyRequest;
    if (ip === "192.0.2.2")
      return "Fastify trusts every proxy (`trustProxy`): a client can choose its own address";
    // Versions before 5.12.1 do support a count.
    const isIgnored = ip === "192.0.2.3" && typeof trustProxyOf(this.#request.server) === "number";
    if (!isIgnored) return undefined;
    return "this version of Fastify ignores a number as `trustProxy`: all clients have the proxy's address";
  }

  attach(decision: Decision): void {
    this.#request.risk = decision;
  }

  addHeader(name: string, value: string): void {
    // Fastify appends cookies itself, and replaces any other header.
    const earlier = name.toLowerCase() === "set-cookie" ? undefined : this.#reply.getHeader(name);
    this.#reply.header(name, earlier === undefined ? value : [earlier, value].join(", "));
  }

  sendReply(reply: Reply): void {
    sendFastifyReply(this.#reply, reply);
  }

  isAnswered(): boolean {
    // A hook may have responded through `reply.raw` without Fastify knowing.
    return this.#reply.sent || this.#reply.raw.headersSent;
  }
}

export function sendFastifyReply(reply: FastifyReply, { status, headers, body }: Reply): void {
  reply.code(status);
  reply.headers(headers);
  if (body) reply.send(body);
  else reply.send();
}

/** Numbers and lists have the same effect here, and `initialConfig` omits this option. */
function trustProxyOf(app: object): unknown {
  for (let at: object | null = app; at; at = Object.getPrototypeOf(at) as object | null) {
    const symbols = Object.getOwnPropertySymbols(at);
    const key = symbols.find(({ description }) => description === "fastify.options");
    if (key) return (at as Record<symbol, { trustProxy?: unknown }>)[key]?.trustProxy;
  }
  return undefined;
}
