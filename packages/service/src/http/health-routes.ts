import { limitTime } from "@riskgate/core/internal";
import type { FastifyInstance } from "fastify";
import type { Storage } from "../storage/storage.js";
import { errorBody } from "./error-body.js";
import { addResource } from "./add-resource.js";

/** Shorter than the usual probe timeout of one second. */
const PROBE_MS = 800;

export function addHealthRoutes(
  server: FastifyInstance,
  { storage }: { readonly storage: Storage },
): void {
  let isStopping = false;
  server.addHook("preClose", (done) => {
    isStopping = true;
    done();
  });

  const isReady = createStorageProbe(storage);

  addResource(server, "/healthz", { GET: (_request, reply) => reply.send({ status: "ok" }) });
  addResource(server, "/readyz", {
    async GET(_request, reply) {
      if (isStopping) return reply.code(503).send(errorBody(503, "The service is stopping"));
      if (await isReady()) return { status: "ready" };
      return reply.code(503).send(errorBody(503, "The storage does not respond"));
    },
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
