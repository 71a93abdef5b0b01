import type { FastifyInstance } from "fastify";
import type { Guard } from "../address-guard.js";
import { NOT_FOUND } from "../error-body.js";
import type { AdminParts } from "./admin-parts.js";
import { createTokenGuard } from "./admin-token.js";
import { addApplicationRoutes } from "./application-routes.js";
import { addCredentialRoutes } from "./credential-routes.js";
import { addDeliveryRoutes } from "./delivery-routes.js";
import { addMaintenanceRoutes } from "./maintenance-routes.js";
import { addPlaybookRoutes } from "./playbook-routes.js";
import { addReportRoutes } from "./report-routes.js";

/** Who may use the administration API. */
export interface AdminAccess {
  readonly token: string;
  readonly guard: Guard;
}

/** Where the administration API stands. */
const ADMIN_PREFIX = "/admin/v1";

/** Serve the administration API under its prefix. */
export function addAdminRoutes(
  server: FastifyInstance,
  { token, guard }: AdminAccess,
  parts: AdminParts,
): void {
  server.register(
    async (scope) => {
      scope.addHook("onRequest", guard);
      scope.addHook("onRequest", createTokenGuard(token));
      scope.addHook("onRequest", (_request, reply, next) => {
        // Keys and secrets are in the answers.
        reply.header("cache-control", "no-store");
        next();
      });
      scope.addHook("onSend", async ({ method }) => {
        if (method !== "GET" && method !== "HEAD") parts.onChanged();
      });
      // Here too, so that without the token no path can be told from another.
      scope.setNotFoundHandler((_request, reply) => {
        void reply.code(404).send(NOT_FOUND);
      });
      addApplicationRoutes(scope, parts);
      addCredentialRoutes(scope, parts);
      addPlaybookRoutes(scope, parts);
      addDeliveryRoutes(scope, parts);
      addReportRoutes(scope, parts);
      addMaintenanceRoutes(scope, parts);
    },
    { prefix: ADMIN_PREFIX },
  );
}
