import {
  FastifyExchange,
  type FastifyReply,
  type FastifyRequest,
  sendFastifyReply,
} from "@riskgate/core/internal";
import type { Platform } from "./platform.js";

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

export const fastifyPlatform: Platform = {
  exchange(context) {
    const http = context.switchToHttp();
    return new FastifyExchange(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
      [context],
    );
  },
  addWebhook(adapter, path, endpoint) {
    // In a separate scope, so that all other routes keep their parsers.
    adapter.getInstance<FastifyScope>().register(async (scope) => {
      scope.removeAllContentTypeParsers();
      // The endpoint reads the stream itself.
      scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
      // Runs before Fastify checks the content type and sends its own response.
      const onRequest: Parameters<FastifyScope["all"]>[1]["onRequest"] = (request, reply, next) => {
        const refusal = endpoint.refuse(request.raw);
        if (refusal) sendFastifyReply(reply, refusal);
        else next();
      };
      // Not asynchronous: Fastify would also await the returned reply.
      scope.all(path, { exposeHeadRoute: false, onRequest }, (request, reply) => {
        endpoint.accept(request.raw, (request as { readonly rawBody?: unknown }).rawBody).then(
          (answer) => sendFastifyReply(reply, answer),
          (error: unknown) => reply.send(error),
        );
      });
    });
  },
};
