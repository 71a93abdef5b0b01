import type { FastifyInstance } from "fastify";
import { epochMsOf } from "../../model/instant.js";
import { partitionOf } from "../../model/log-entry.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";

/** Serves which process works for which application, how far detection is behind, clocks, and what is used. */
export function addSystemRoute(
  scope: FastifyInstance,
  { storage }: Pick<AdminParts, "storage">,
): void {
  addAdminResource(scope, "/system", {
    async GET() {
      const processes = await storage.partitions.processes();
      const oldest = new Map(
        (await storage.log.lag()).map(({ applicationId, oldestAt }) => [applicationId, oldestAt]),
      );
      const now = storage.clock();
      const applications = (await storage.applications.list()).map(({ id, name }) => ({
        id,
        name,
        owner:
          processes.find(({ partitions }) => partitions.includes(partitionOf(id)))?.name ?? null,
        lagMs: Math.max(0, Math.round(epochMsOf(now - (oldest.get(id) ?? now)))),
      }));
      return {
        self: {
          uptimeSeconds: Math.floor(process.uptime()),
          memoryBytes: process.memoryUsage.rss(),
          node: process.version,
        },
        usage: await storage.usage(),
        processes: processes.map(({ name, partitions, clockAheadMs }) => ({
          name,
          partitions: partitions.length,
          clockAheadMs,
        })),
        applications: applications.toSorted((one, other) => other.lagMs - one.lagMs),
      };
    },
  });
}
