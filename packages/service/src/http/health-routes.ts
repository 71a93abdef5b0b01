import { limitTime } from "@riskgate/core/internal";
import type { FastifyInstance } from "fastify";
import { epochMsOf, systemClock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import type { Guard } from "./address-guard.js";
import { errorBody } from "./error-body.js";
import type { Gauges, Metrics } from "./metrics.js";
import { OPENAPI_TEXT } from "./openapi-text.js";
import { addResource } from "./add-resource.js";

export interface HealthRoutesOptions {
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly inMemory: () => Pick<Gauges, "ledger" | "feeds">;
  /** Rejects requests that may not read the metrics. */
  readonly guard: Guard;
}

/** Shorter than the usual probe timeout of one second. */
const PROBE_MS = 800;

/** Serves `/healthz`, `/readyz`, `/metrics` and `/openapi.json`. */
export function addHealthRoutes(
  server: FastifyInstance,
  { storage, metrics, inMemory, guard }: HealthRoutesOptions,
): void {
  let isStopping = false;
  server.addHook("preClose", (done) => {
    isStopping = true;
    done();
  });

  const isReady = createStorageProbe(storage);

  addResource(server, "/healthz", { GET: (_request, reply) => reply.send({ status: "ok" }) });
  addResource(server, "/openapi.json", {
    GET: (_request, reply) => reply.type("application/json; charset=utf-8").send(OPENAPI_TEXT),
  });
  addResource(server, "/readyz", {
    async GET(_request, reply) {
      if (isStopping) return reply.code(503).send(errorBody(503, "The service is stopping"));
      if (await isReady()) return { status: "ready" };
      return reply.code(503).send(errorBody(503, "The storage does not respond"));
    },
  });
  server.register(async (scope) => {
    scope.addHook("onRequest", guard);
    addResource(scope, "/metrics", {
      async GET(_request, reply) {
        const gauges = { ...inMemory(), ...(await readStored(storage)) };
        const text = await metrics.text(gauges, epochMsOf(systemClock()) / 1000);
        return reply.type(metrics.contentType).send(text);
      },
    });
  });
}

/** Creates the check that the storage responds; concurrent calls share one check. */
function createStorageProbe(storage: Storage): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  return () => {
    // The reason for a failure does not matter: the service is not ready.
    underWay ??= storage
      .check()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (underWay = undefined));
    return limitTime(underWay, PROBE_MS, () => false, true);
  };
}

async function readStored(
  storage: Storage,
): Promise<Pick<Gauges, "backlog" | "deliveries" | "usage">> {
  return {
    backlog: await storage.outbox.backlog(),
    deliveries: await storage.deliveries.unfinished(),
    usage: await storage.usage(),
  };
}
