import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Guard } from "../address-guard.js";
import { errorBody, NOT_FOUND, TOO_MANY_WRONG } from "../error-body.js";
import type { WrongCredentials } from "../wrong-credentials.js";
import type { AdminParts } from "./admin-parts.js";
import { addApplicationRoutes } from "./application-routes.js";
import { addCredentialRoutes } from "./credential-routes.js";
import { addDeliveryRoutes } from "./delivery-routes.js";
import { addMaintenanceRoutes } from "./maintenance-routes.js";
import { addPlaybookRoutes } from "./playbook-routes.js";
import { addReportRoutes } from "./report-routes.js";

/** What a request to the administration API must satisfy. */
export interface AdminAccess {
  readonly token: string;
  /** Refuses connections from other networks. */
  readonly guard: Guard;
  readonly wrongCredentials: WrongCredentials;
}

/** Path of the administration API. */
const ADMIN_PREFIX = "/admin/v1";

/** Serves the administration API under its prefix. */
export function addAdminRoutes(
  server: FastifyInstance,
  { token, guard, wrongCredentials }: AdminAccess,
  parts: AdminParts,
): void {
  server.register(
    async (scope) => {
      scope.addHook("onRequest", guard);
      scope.addHook("onRequest", createTokenGuard(token, wrongCredentials));
      scope.addHook("onRequest", (_request, reply, next) => {
        // The answers contain keys and secrets.
        reply.header("cache-control", "no-store");
        next();
      });
      scope.addHook("onSend", async ({ method }) => {
        if (method !== "GET" && method !== "HEAD") parts.onChanged();
      });
      // Here too, so that without the token all paths look alike.
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

/** Refuses every request without `Authorization: Bearer` and the token. */
function createTokenGuard(token: string, wrongCredentials: WrongCredentials): Guard {
  const expected = digest(`Bearer ${token}`);
  return ({ headers, socket }, reply, next) => {
    // Digests have one length: the comparison takes the same time for any header.
    if (timingSafeEqual(digest(headers.authorization ?? ""), expected)) next();
    else {
      // After the token was looked at: the right one passes whatever else its address has sent.
      void wrongCredentials.count(socket.remoteAddress).then((waitSeconds) => {
        if (waitSeconds > 0) {
          return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
        }
        return reply
          .code(401)
          .header("www-authenticate", "Bearer")
          .send(errorBody(401, "Missing or wrong administration token"));
      });
    }
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
