import type { FastifyInstance } from "fastify";
import { addResource } from "../resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { ListQuery } from "./list-query.js";

/** Serves the decisions that applications logged. */
export function addDecisionRoutes(
  scope: FastifyInstance,
  { storage }: Pick<AdminParts, "storage">,
): void {
  const { decisions } = storage;

  addResource(scope, "/decisions", {
    async GET(request) {
      const query = new ListQuery(request);
      const applicationId = query.text("applicationId");
      const beforeSeq = query.whole("beforeSeq");
      const { limit } = query;
      const found = await decisions.list({
        limit,
        ...(applicationId !== undefined && { applicationId }),
        ...(beforeSeq !== undefined && { beforeSeq }),
      });
      return {
        decisions: found.map((one) => adminView(one)),
        nextBeforeSeq: found.length < limit ? null : (found.at(-1)?.seq ?? null),
      };
    },
  });
}
