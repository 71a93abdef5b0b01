import type { FastifyInstance } from "fastify";
import { NOT_FOUND } from "../error-body.js";
import type { Sessions } from "../console/sessions.js";
import type { WrongCredentials } from "../wrong-credentials.js";
import { createAdminGuard } from "./admin-guard.js";
import { addActivityRoutes } from "./activity-routes.js";
import type { AdminParts } from "./admin-parts.js";
import { addApplicationRoutes } from "./application-routes.js";
import { addBlockRoutes } from "./block-routes.js";
import { addCredentialRoutes } from "./credential-routes.js";
import { addDecisionRoutes } from "./decision-routes.js";
import { addDeliveryRoutes } from "./delivery-routes.js";
import { addExplainRoutes } from "./explain-routes.js";
import { addDryRunRoutes } from "./dry-run-routes.js";
import { addIncidentRoutes } from "./incident-routes.js";
import { addMaintenanceRoutes } from "./maintenance-routes.js";
import { addOverviewRoute } from "./overview-route.js";
import { addPlaybookRoutes } from "./playbook-routes.js";
import { addProofRoute } from "./identity-proof-route.js";
import { addDeliveryRequestRoutes } from "./delivery-request-routes.js";
import { addRehearsalRoute } from "./rehearsal-route.js";
import { addSubjectRoutes } from "./subject-routes.js";
import { addSystemRoute } from "./system-route.js";
import { addApplicationReportRoutes } from "./application-report-routes.js";
import { addOperatorRuleRoutes } from "./operator-rule-routes.js";

export interface AdminAccess {
  readonly token: string;
  readonly proofKey: string | undefined;
  readonly adminOrigin: string | undefined;
  readonly sessions: Sessions;
  readonly wrongCredentials: WrongCredentials;
}

const ADMIN_PREFIX = "/admin/v1";

export function addAdminRoutes(
  server: FastifyInstance,
  { token, proofKey, adminOrigin, sessions, wrongCredentials }: AdminAccess,
  parts: AdminParts,
): void {
  if (proofKey !== undefined) {
    server.register(async (scope) => addProofRoute(scope, proofKey), { prefix: ADMIN_PREFIX });
  }
  server.register(
    async (scope) => {
      scope.addHook("onRequest", createAdminGuard(token, adminOrigin, sessions, wrongCredentials));
      scope.addHook("onRequest", (_request, reply, next) => {
        // Responses contain keys and secrets.
        reply.header("cache-control", "no-store");
        next();
      });
      // Set here too, so that clients without the token cannot tell which paths exist.
      scope.setNotFoundHandler((_request, reply) => {
        void reply.code(404).send(NOT_FOUND);
      });
      scope.register(async (changing) => {
        // Reports and failed requests do not change keys.
        changing.addHook("onSend", async ({ method }, { statusCode }) => {
          if (method !== "GET" && method !== "HEAD" && statusCode < 400) await parts.onChanged();
        });
        addApplicationRoutes(changing, parts);
        addCredentialRoutes(changing, parts);
      });
      addOverviewRoute(scope, parts);
      addSystemRoute(scope, parts);
      addActivityRoutes(scope, parts);
      addPlaybookRoutes(scope, parts);
      addDryRunRoutes(scope, parts);
      addDeliveryRoutes(scope, parts);
      addDecisionRoutes(scope, parts);
      addDeliveryRequestRoutes(scope, parts);
      addIncidentRoutes(scope, parts);
      addSubjectRoutes(scope, parts);
      addBlockRoutes(scope, parts);
      addApplicationReportRoutes(scope, parts);
      addMaintenanceRoutes(scope, parts);
      addRehearsalRoute(scope, parts);
      addOperatorRuleRoutes(scope, parts);
      addExplainRoutes(scope, parts);
    },
    { prefix: ADMIN_PREFIX },
  );
}
