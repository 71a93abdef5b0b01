import type { FastifyInstance } from "fastify";
import { addResource } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

/** Serves the decisions that applications logged. */
export function addDecisionRoutes(
  scope: FastifyInstance,
  { storage }: Pick<AdminParts, "storage">,
): void {
  const { decisions } = storage;

  addResource(scope, "/decisions", {
    async GET(request) {
      const page = readQuery(request, (query) => query.page());
      const found = await decisions.list(page);
      return {
        decisions: found.map((one) => adminView(one)),
        nextBeforeSeq: found.length < page.limit ? null : (found.at(-1)?.seq ?? null),
      };
    },
  });
}
