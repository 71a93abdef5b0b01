import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AdminParts } from "./admin/admin-parts.js";
import type { Authenticator } from "./authenticator.js";
import { RATE_LIMITED, REPORT_UNAUTHORIZED, TOO_MANY_WRONG } from "./error-body.js";
import { addResource } from "./add-resource.js";
import type { RequestLimits } from "./request-limits.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface ReportRoutesOptions {
  readonly intake: AdminParts["intake"];
  /** Accepts report keys only. */
  readonly authenticator: Authenticator;
  readonly wrongCredentials: WrongCredentials;
  readonly limits: RequestLimits;
}

/**
 * Accepts reports. The report key identifies the application and permits nothing else.
 */
export function addReportRoutes(
  server: FastifyInstance,
  { intake, authenticator, wrongCredentials, limits }: ReportRoutesOptions,
): void {
  const ids = new WeakMap<FastifyRequest, string>();
  server.register(
    async (scope) => {
      // Runs before the body is read, which happens only for a valid key.
      scope.addHook("onRequest", async (request, reply) => {
        const key = request.headers["x-api-key"];
        const application = await authenticator.authenticate(request.raw.socket, key);
        if (!application) {
          const waitSeconds = await wrongCredentials.count(request.raw.socket.remoteAddress);
          if (waitSeconds === 0) return reply.code(401).send(REPORT_UNAUTHORIZED);
          return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
        }
        ids.set(request, application.id);
        if (!application.keyQuota) return undefined;
        const waitSeconds = await limits(application, reply.raw, false);
        if (waitSeconds === 0) return undefined;
        return reply.code(429).header("retry-after", waitSeconds).send(RATE_LIMITED);
      });
      addResource(scope, "/events", {
        POST: (request) => intake.report(ids.get(request)!, request.body),
      });
      addResource(scope, "/logins", {
        POST: (request) => intake.outcomes(ids.get(request)!, request.body),
      });
      addResource(scope, "/counters", {
        POST: (request) => intake.counters(ids.get(request)!, request.body),
      });
      addResource(scope, "/decisions", {
        POST: (request) => intake.decisions(ids.get(request)!, request.body),
      });
    },
    { prefix: "/v1/reports" },
  );
}
