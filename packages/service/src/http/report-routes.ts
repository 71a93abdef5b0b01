import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReportOptions } from "../model/reporter.js";
import type { AdminParts } from "./admin/admin-parts.js";
import type { Authenticator } from "./authenticator.js";
import { RATE_LIMITED, REPORT_UNAUTHORIZED, TOO_MANY_WRONG } from "./error-body.js";
import type { Application } from "../model/application.js";
import { addResource } from "./add-resource.js";
import { stopDeadline } from "./request-deadline.js";
import type { RequestLimits } from "./request-limits.js";
import type { WrongCredentials } from "./wrong-credentials.js";

export interface ReportRoutesOptions {
  readonly intake: AdminParts["intake"];
  /** Accepts report keys only. */
  readonly authenticator: Authenticator;
  readonly wrongCredentials: WrongCredentials;
  readonly limits: RequestLimits;
}

/** Longest time for which a caller can wait, in seconds. */
const MAX_WAIT_SECONDS = 30;

/**
 * Reads how long a caller waits for the results of detection: `Prefer: wait=5`, in seconds.
 * Source: RFC 7240, section 4.3.
 */
function readWait(request: FastifyRequest, reply: FastifyReply): ReportOptions {
  const prefer = [request.headers["prefer"] ?? []].flat().join(",");
  const [, digits] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/i.exec(prefer) ?? [];
  const seconds = Math.min(Number(digits ?? 0), MAX_WAIT_SECONDS);
  if (seconds === 0) return {};
  void reply.header("preference-applied", `wait=${seconds}`);
  return { waitMs: seconds * 1_000, onStored: () => stopDeadline(request) };
}

/**
 * Accepts reports. The report key identifies the application and permits nothing else.
 */
export function addReportRoutes(
  server: FastifyInstance,
  { intake, authenticator, wrongCredentials, limits }: ReportRoutesOptions,
): void {
  const reporters = new WeakMap<FastifyRequest, Application>();
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
        reporters.set(request, application);
        if (!application.keyQuota) return undefined;
        const waitSeconds = await limits(application, reply.raw, false);
        if (waitSeconds === 0) return undefined;
        return reply.code(429).header("retry-after", waitSeconds).send(RATE_LIMITED);
      });
      addResource(scope, "/reports/events", {
        POST: (request, reply) =>
          intake.report(reporters.get(request)!, request.body, readWait(request, reply)),
      });
      addResource(scope, "/reports/logins", {
        POST: (request, reply) =>
          intake.outcomes(reporters.get(request)!, request.body, readWait(request, reply)),
      });
      addResource(scope, "/reports/counters", {
        POST: (request, reply) =>
          intake.counters(reporters.get(request)!, request.body, readWait(request, reply)),
      });
      addResource(scope, "/reports/decisions", {
        POST: (request) => intake.decisions(reporters.get(request)!, request.body),
      });
      addResource(scope, "/labels", {
        POST: (request) => intake.labels(reporters.get(request)!, request.body),
      });
    },
    { prefix: "/v1" },
  );
}
