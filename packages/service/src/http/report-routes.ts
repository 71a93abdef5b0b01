import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AdminParts } from "./admin/admin-parts.js";
import type { Authenticator } from "./authenticator.js";
import { REPORT_UNAUTHORIZED, TOO_MANY_WRONG } from "./error-body.js";
import { addResource } from "./add-resource.js";
import type { WrongCredentials } from "./wrong-credentials.js";

/** What takes reports, and whose. */
export interface ReportRoutesOptions {
  readonly intake: AdminParts["intake"];
  /** Knows the keys for reports, and no others. */
  readonly authenticator: Authenticator;
  readonly wrongCredentials: WrongCredentials;
}

/**
 * Serves what an application reports with a key of its own, which can do nothing else: the
 * application is that of the key.
 */
export function addReportRoutes(
  server: FastifyInstance,
  { intake, authenticator, wrongCredentials }: ReportRoutesOptions,
): void {
  const ids = new WeakMap<FastifyRequest, string>();
  server.register(
    async (scope) => {
      // Before the body: that of a stranger is not read.
      scope.addHook("onRequest", async (request, reply) => {
        const key = request.headers["x-api-key"];
        const application = await authenticator.authenticate(request.raw.socket, key);
        if (!application) {
          const waitSeconds = await wrongCredentials.count(request.raw.socket.remoteAddress);
          if (waitSeconds === 0) return reply.code(401).send(REPORT_UNAUTHORIZED);
          return reply.code(429).header("retry-after", waitSeconds).send(TOO_MANY_WRONG);
        }
        ids.set(request, application.id);
        return undefined;
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
