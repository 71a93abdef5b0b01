import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "@riskgate/core";
import type { Reply } from "@riskgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import type { Exchange, Platform } from "./platform.js";

/** What is used of a request of Fastify. */
interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly originalUrl: string;
  readonly ip: string;
  readonly body: unknown;
  readonly rawBody?: unknown;
  readonly routeOptions: { readonly url?: string | undefined };
  risk?: Decision;
}

/** What is used of a reply of Fastify. */
interface FastifyReply {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  code(status: number): FastifyReply;
  headers(headers: Reply["headers"]): FastifyReply;
  send(body?: unknown): FastifyReply;
}

/** What is used of an instance of Fastify. */
interface FastifyScope {
  register(plugin: (scope: FastifyScope) => Promise<void>): unknown;
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, parsed: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    options: {
      readonly exposeHeadRoute: boolean;
      readonly onRequest: (request: FastifyRequest, reply: FastifyReply, next: () => void) => void;
    },
    handler: (request: FastifyRequest, reply: FastifyReply) => void,
  ): unknown;
}

/** A request of Fastify with its reply, as a gate sees them. */
class FastifyExchange implements Exchange {
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

  /** Fastify does not expose its setting, but the address of a made-up request shows it. */
  unsafeTrust(): string | undefined {
    // No list holds these documentation addresses, and no count reaches so far.
    const headers = { "x-forwarded-for": `192.0.2.2${", 192.0.2.1".repeat(999)}` };
    const raw = { value: { headers, socket: { remoteAddress: "192.0.2.3" } } };
    const { ip } = Object.create(this.#request, { raw }) as FastifyRequest;
    return ip === "192.0.2.2" ? "Fastify trusts every proxy (`trustProxy`)" : undefined;
  }

  attach(decision: Decision): void {
    this.#request.risk = decision;
  }

  sendReply(reply: Reply): void {
    sendReply(this.#reply, reply);
  }

  isAnswered(): boolean {
    // A hook that writes through `reply.raw` has answered, although Fastify does not know.
    return this.#reply.sent || this.#reply.raw.headersSent;
  }
}

/** Nest on Fastify. */
export const fastifyPlatform: Platform = {
  exchange: (context) => new FastifyExchange(context),
  addWebhook(adapter, path, endpoint) {
    // In a scope of its own: all other routes keep their parsers.
    adapter.getInstance<FastifyScope>().register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The endpoint reads the stream itself: nothing is left to parse.
      scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
      // Before Fastify checks the content type, which it would refuse with its own answer.
      const onRequest: Parameters<FastifyScope["all"]>[1]["onRequest"] = (request, reply, next) => {
        const refusal = endpoint.refuse(request.raw);
        if (refusal) sendReply(reply, refusal);
        else next();
      };
      // Not asynchronous: Fastify would also wait for the reply that it is given back.
      scope.all(path, { exposeHeadRoute: false, onRequest }, (request, reply) => {
        endpoint.accept(request.raw, request.rawBody).then(
          (answer) => sendReply(reply, answer),
          (error: unknown) => reply.send(error),
        );
      });
    });
  },
};

function sendReply(reply: FastifyReply, { status, headers, body }: Reply): void {
  reply.code(status).headers(headers);
  if (body) reply.send(body);
  else reply.send();
}
