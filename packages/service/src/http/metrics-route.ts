import type { FastifyInstance } from "fastify";
import { epochMsOf } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { addResource } from "./add-resource.js";
import type { Guard } from "./host-guard.js";
import type { Gauges, Metrics } from "./metrics.js";

export interface MetricsRouteParts {
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly feedsInUse: () => Gauges["feeds"];
}

export function addMetricsRoute(
  server: FastifyInstance,
  { storage, metrics, feedsInUse }: MetricsRouteParts,
  guard: Guard,
): void {
  server.register(async (scope) => {
    scope.addHook("onRequest", guard);
    addResource(scope, "/metrics", {
      async GET(_request, reply) {
        const gauges = {
          feeds: feedsInUse(),
          lag: await storage.log.lag(),
          backlog: await storage.outbox.backlog(undefined, 1_000_000),
          deliveries: await storage.deliveries.unfinished(),
          usage: await storage.usage(),
        };
        const text = await metrics.text(gauges, epochMsOf(storage.clock()) / 1000);
        return reply.type(metrics.contentType).send(text);
      },
    });
  });
}
