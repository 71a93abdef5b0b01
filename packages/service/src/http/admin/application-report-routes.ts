import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Report } from "../../detection/events/report.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { ReportOptions } from "../../model/reporter.js";
import { pathParameter } from "../add-resource.js";
import { stopDeadline } from "../request-deadline.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

/** An operator sees what follows from a report. */
const WAIT_MS = 10_000;

export function addApplicationReportRoutes(
  scope: FastifyInstance,
  { storage, intake }: AdminParts,
): void {
  const { applications, events, incidents } = storage;
  const reporting =
    (take: (id: string, body: unknown, how: ReportOptions) => Promise<Report>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      const onStored = (): void => stopDeadline(request);
      return take(id, request.body, { waitMs: WAIT_MS, onStored });
    };

  addAdminResource(scope, "/applications/:id/events", {
    async GET(request, reply) {
      const applicationId = pathParameter(request, "id");
      const filter = readQuery(request, (query) => ({
        limit: query.limit,
        ...query.given({ kind: query.text("kind") }),
      }));
      if (!(await applications.get(applicationId))) return reply.callNotFound();
      const found = await events.list({ applicationId, ...filter });
      return { events: found.map((one) => adminView(one)) };
    },
    POST: reporting((id, body, how) => intake.report(id, body, how)),
  });
  addAdminResource(scope, "/applications/:id/logins", {
    POST: reporting((id, body, how) => intake.outcomes(id, body, how)),
  });
  addAdminResource(scope, "/applications/:id/counters", {
    POST: reporting((id, body, how) => intake.counters(id, body, how)),
  });

  addAdminResource(scope, "/applications/:id/labels", {
    POST: reporting((id, body) => intake.labels(id, body)),
  });

  addAdminResource(scope, "/applications/:id/incidents", {
    async GET(request, reply) {
      const applicationId = pathParameter(request, "id");
      const filter = readQuery(request, (query) => ({
        limit: query.limit,
        ...query.given({ open: query.flag("open") }),
      }));
      if (!(await applications.get(applicationId))) return reply.callNotFound();
      const found = await incidents.list({ applicationId, ...filter });
      // The state is internal to the detection.
      return { incidents: found.map((incident) => adminView(incident, "state")) };
    },
  });
}
