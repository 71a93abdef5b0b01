import { limitTime } from "@riskgate/core/internal";
import type { FastifyInstance } from "fastify";
import type { LagWatch } from "../intake/lag-watch.js";
import type { Storage } from "../storage/storage.js";
import { errorBody } from "./error-body.js";
import { addResource } from "./add-resource.js";

/** Shorter than the usual probe timeout of one second. */
const PROBE_MS = 800;

const CLOCK_BEHIND = errorBody(
  503,
  "The clock is behind what is stored, so dated reports are refused: correct the clock",
);

interface HealthParts {
  readonly lagWatch: Pick<LagWatch, "longestMs">;
  readonly storage: Storage;
  /** Returns true while dated reports are refused because the clock was set back. */
  readonly isClockBehind: () => boolean;
}

export function addHealthRoutes(
  server: FastifyInstance,
  { storage, isClockBehind, lagWatch }: HealthParts,
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
      if (!(await isReady())) {
        return reply.code(503).send(errorBody(503, "The storage does not respond"));
      }
      if (isClockBehind()) return reply.code(503).send(CLOCK_BEHIND);
      const lagMs = lagWatch.longestMs();
      // Still ready: lookups and the reports of other applications do not wait for detection.
      const behind = lagMs > 0 && { detection: { behindSeconds: Math.round(lagMs / 1_000) } };
      return { status: "ready", ...behind };
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
