import type { FastifyInstance } from "fastify";
import { epochMsOf, systemClock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { addResource } from "./add-resource.js";
import type { Guard } from "./host-guard.js";
import type { Gauges, Metrics } from "./metrics.js";

export interface MetricsRouteParts {
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly inMemory: () => Pick<Gauges, "ledger" | "feeds">;
}

export function addMetricsRoute(
  server: FastifyInstance,
  { storage, metrics, inMemory }: MetricsRouteParts,
  guard: Guard,
): void {
  server.register(async (scope) => {
    scope.addHook("onRequest", guard);
    addResource(scope, "/metrics", {
      async GET(_request, reply) {
        const gauges = {
          ...inMemory(),
          backlog: await storage.outbox.backlog(),
          deliveries: await storage.deliveries.unfinished(),
          usage: await storage.usage(),
        };
        const text = await metrics.text(gauges, epochMsOf(systemClock()) / 1000);
        return reply.type(metrics.contentType).send(text);
      },
    });
  });
}
