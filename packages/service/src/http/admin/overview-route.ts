import { formatTimestamp } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { epochMsOf, instantOf } from "../../model/instant.js";
import { STEP_MS } from "../../lookups/lookup-history.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { attentionTo } from "./attention.js";

export function addOverviewRoute(scope: FastifyInstance, parts: AdminParts): void {
  const { storage, feeds, lookups } = parts;

  addAdminResource(scope, "/overview", {
    async GET() {
      const applications = await storage.applications.list();
      const backlog = await storage.outbox.backlog(undefined, 1_000_000);
      const usage = await storage.usage();
      const deliveries = await storage.deliveries.counts();
      const inUse = feeds.list();
      const nowMs = epochMsOf(storage.clock());
      return {
        at: formatTimestamp(instantOf(nowMs)),
        applications: applications.length,
        deliveries,
        waitingPayloads: backlog.reduce((sum, { count }) => sum + count, 0),
        openIncidents: await storage.incidents.countOpen(),
        lookups: {
          stepMs: STEP_MS,
          steps: lookups.steps().map(({ startMs, ...counts }) => ({
            at: formatTimestamp(instantOf(startMs)),
            ...counts,
          })),
        },
        feeds: inUse,
        usage,
        attention: attentionTo({ applications, backlog, usage, deliveries, feeds: inUse, nowMs }),
      };
    },
  });
}
