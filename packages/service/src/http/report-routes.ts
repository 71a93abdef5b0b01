import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReportOptions } from "../model/reporter.js";
import type { AdminParts } from "./admin/admin-parts.js";
import { REPORT_UNAUTHORIZED } from "./error-body.js";
import { addResource } from "./add-resource.js";
import { stopDeadline } from "./request-deadline.js";
import { createKeyHook, type KeyHookParts } from "./key-hook.js";
import { readWait } from "./prefer-wait.js";

export interface ReportRoutesOptions extends KeyHookParts {
  readonly intake: AdminParts["intake"];
}

function readOptions(request: FastifyRequest, reply: FastifyReply): ReportOptions {
  const waitMs = readWait(request, reply);
  return waitMs === 0 ? {} : { waitMs, onStored: () => stopDeadline(request) };
}

/**
 * Accepts reports. The report key identifies the application and permits nothing else.
 */
export function addReportRoutes(
  server: FastifyInstance,
  { intake, ...parts }: ReportRoutesOptions,
): void {
  const { check, holderOf } = createKeyHook(parts, REPORT_UNAUTHORIZED);
  server.register(
    async (scope) => {
      scope.addHook("onRequest", check);
      addResource(scope, "/reports/events", {
        POST: (request, reply) =>
          intake.report(holderOf(request), request.body, readOptions(request, reply)),
      });
      addResource(scope, "/reports/logins", {
        POST: (request, reply) =>
          intake.outcomes(holderOf(request), request.body, readOptions(request, reply)),
      });
      addResource(scope, "/reports/counters", {
        POST: (request, reply) =>
          intake.counters(holderOf(request), request.body, readOptions(request, reply)),
      });
      addResource(scope, "/reports/decisions", {
        POST: (request) => intake.decisions(holderOf(request), request.body),
      });
      addResource(scope, "/labels", {
        POST: (request) => intake.labels(holderOf(request), request.body),
      });
    },
    { prefix: "/v1" },
  );
}
