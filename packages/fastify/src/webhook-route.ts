import { createWebhookEndpoint, type WebhookOptions } from "@riskgate/core/adapter";
import { sendFastifyReply } from "@riskgate/core/internal";
import type { FastifyPluginAsync } from "fastify";
import { ownOptions } from "./own-options.js";

/** Options of {@link webhookRoute}. */
export interface WebhookRouteOptions extends WebhookOptions {
  /** Path of the route. */
  readonly path: string;
}

/**
 * Receive signed deliveries at a path. Not wrapped by fastify-plugin: it removes only the
 * parsers of its scope, and all other routes keep theirs.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * await app.register(webhookRoute, {
 *   path: "/webhooks/security",
 *   secrets,
 *   on: { pulse: (incident) => page(incident) },
 * });
 */
// Asynchronous, because Fastify leaves what a plugin in callback style throws to the process.
export const webhookRoute: FastifyPluginAsync<WebhookRouteOptions> = async (app, given) => {
  const { path, ...options } = ownOptions(given);
  const endpoint = createWebhookEndpoint(options, "webhookRoute");
  app.removeAllContentTypeParsers();
  // The endpoint reads the stream itself: nothing is left to parse.
  app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
  app.route({
    method: app.supportedMethods,
    url: path,
    exposeHeadRoute: false,
    // Before Fastify checks the content type, which it would refuse with its own answer.
    onRequest(request, reply, next) {
      const refusal = endpoint.refuse(request.raw);
      if (refusal) sendFastifyReply(reply, refusal);
      else next();
    },
    // Not asynchronous: Fastify would also wait for the reply that it is given back.
    handler(request, reply) {
      endpoint.accept(request.raw, (request as { rawBody?: unknown }).rawBody).then(
        (answer) => sendFastifyReply(reply, answer),
        (error: unknown) => reply.send(error),
      );
    },
  });
};
