import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Report } from "../../detection/events/report.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

export function addApplicationReportRoutes(
  scope: FastifyInstance,
  { storage, intake }: AdminParts,
): void {
  const { applications, events, incidents } = storage;
  const reporting =
    (take: (applicationId: string, body: unknown) => Promise<Report>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      return take(id, request.body);
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
    POST: reporting((id, body) => intake.report(id, body)),
  });
  addAdminResource(scope, "/applications/:id/logins", {
    POST: reporting((id, body) => intake.outcomes(id, body)),
  });
  addAdminResource(scope, "/applications/:id/counters", {
    POST: reporting((id, body) => intake.counters(id, body)),
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
