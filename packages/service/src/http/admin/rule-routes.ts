import type { FastifyInstance } from "fastify";
import { addResource } from "../resource.js";
import type { AdminParts } from "./admin-parts.js";

/** Serves the rules of the operator. */
export function addRuleRoutes(scope: FastifyInstance, { rules }: Pick<AdminParts, "rules">): void {
  addResource(scope, "/rules", {
    GET: async () => ({ rules: rules.list() }),
    async PUT({ body }) {
      await rules.replace(body);
      return { count: rules.list().length };
    },
  });
}
