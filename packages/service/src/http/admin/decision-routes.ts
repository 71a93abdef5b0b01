import type { DecisionRecord } from "@riskgate/api-types";
import type { FastifyInstance } from "fastify";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

export function addDecisionRoutes(
  scope: FastifyInstance,
  { storage }: Pick<AdminParts, "storage">,
): void {
  const { decisions } = storage;

  addAdminResource(scope, "/decisions", {
    async GET(request) {
      const page = readQuery(request, (query) => ({
        ...query.page(),
        ...query.given({ id: query.text("id") }),
      }));
      const found = await decisions.list(page);
      return {
        decisions: found.map(({ record, ...one }) => ({
          ...adminView(one),
          // It was validated before it was stored.
          record: record as unknown as DecisionRecord,
        })),
        nextBeforeSeq: found.length < page.limit ? null : (found.at(-1)?.seq ?? null),
      };
    },
  });
}
