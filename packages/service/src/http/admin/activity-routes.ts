import type { FastifyInstance } from "fastify";
import { addAdminResource } from "./add-admin-resource.js";
import { activityIn } from "./activity-view.js";
import type { AdminParts } from "./admin-parts.js";
import { readQuery } from "./list-query.js";

/** Period without `since`: everything that is stored. */
const EVER = 0;

/** Serves counts over time, and a search. */
export function addActivityRoutes(
  scope: FastifyInstance,
  { storage }: Pick<AdminParts, "storage">,
): void {
  const { activity } = storage;

  addAdminResource(scope, "/activity", {
    async GET(request) {
      const {
        since = EVER,
        until = storage.clock(),
        ...filter
      } = readQuery(request, (query) => ({
        ...query.period(),
        ...query.given({ applicationId: query.text("applicationId") }),
      }));
      return activityIn(activity, { ...filter, since, until });
    },
  });

  addAdminResource(scope, "/search", {
    async GET(request) {
      const text = readQuery(request, (query) => query.search());
      return { found: await activity.find(text) };
    },
  });
}
