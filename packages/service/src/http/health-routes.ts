import type { FastifyInstance } from "fastify";
import type { Storage } from "../storage/storage.js";
import type { Guard } from "./address-guard.js";
import { errorBody } from "./error-body.js";
import type { Gauges, Metrics } from "./metrics.js";
import { OPENAPI_TEXT } from "./openapi-text.js";
import { addResource } from "./resource.js";

/** What the routes read. */
export interface HealthRoutesOptions {
  readonly storage: Storage;
  readonly metrics: Metrics;
  /** Refuses connections that may not read the metrics. */
  readonly guard: Guard;
}

/** Serves `/healthz`, `/readyz`, `/metrics` and `/openapi.json`. */
export function addHealthRoutes(
  server: FastifyInstance,
  { storage, metrics, guard }: HealthRoutesOptions,
): void {
  let isStopping = false;
  server.addHook("preClose", (done) => {
    isStopping = true;
    done();
  });

  addResource(server, "/healthz", { GET: (_request, reply) => reply.send({ status: "ok" }) });
  addResource(server, "/openapi.json", {
    GET: (_request, reply) => reply.type("application/json; charset=utf-8").send(OPENAPI_TEXT),
  });
  addResource(server, "/readyz", {
    async GET(_request, reply) {
      if (isStopping) return reply.code(503).send(errorBody(503, "The service is stopping"));
      try {
        await storage.outbox.backlog();
      } catch {
        // The reason does not matter: the service is not ready.
        return reply.code(503).send(errorBody(503, "The storage does not answer"));
      }
      return { status: "ready" };
    },
  });
  server.register(async (scope) => {
    scope.addHook("onRequest", guard);
    addResource(scope, "/metrics", {
      async GET(_request, reply) {
        const text = metrics.text(await readGauges(storage));
        return reply.type("text/plain; version=0.0.4; charset=utf-8").send(text);
      },
    });
  });
}

async function readGauges({ outbox, deliveries }: Storage): Promise<Gauges> {
  const backlog = await outbox.backlog();
  return {
    outboxPayloads: backlog.reduce((sum, { count }) => sum + count, 0),
    deliveries: await deliveries.counts(),
  };
}
