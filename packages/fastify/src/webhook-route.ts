import { createWebhookEndpoint, type WebhookOptions } from "@riskgate/core/adapter";
import { sendFastifyReply } from "@riskgate/core/internal";
import type { FastifyPluginAsync } from "fastify";
import { ownOptions } from "./own-options.js";

export interface WebhookRouteOptions extends WebhookOptions {
  readonly path: string;
}

/**
 * Receives signed deliveries at a path. Not wrapped in fastify-plugin, so it removes the parsers
 * only in its own scope; all other routes keep theirs.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * await app.register(webhookRoute, {
 *   path: "/webhooks/security",
 *   secrets,
 *   on: { pulse: (incident) => page(incident) },
 * });
 */
// Asynchronous, because errors thrown by a callback-style plugin would crash the process.
export const webhookRoute: FastifyPluginAsync<WebhookRouteOptions> = async (app, given) => {
  const { path, ...options } = ownOptions(given);
  const endpoint = createWebhookEndpoint(options, "webhookRoute");
  app.removeAllContentTypeParsers();
  // The endpoint reads the stream itself.
  app.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
  app.route({
    method: app.supportedMethods,
    url: path,
    exposeHeadRoute: false,
    // Runs before Fastify checks the content type and sends its own response.
    onRequest(request, reply, next) {
      const refusal = endpoint.refuse(request.raw);
      if (refusal) sendFastifyReply(reply, refusal);
      else next();
    },
    // Not asynchronous: Fastify would also await the returned reply.
    handler(request, reply) {
      endpoint.accept(request.raw, (request as { rawBody?: unknown }).rawBody).then(
        (answer) => sendFastifyReply(reply, answer),
        (error: unknown) => reply.send(error),
      );
    },
  });
};
