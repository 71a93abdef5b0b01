import { INCIDENT_GENRES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

/** Serves incidents and security events of all applications, each with its related records. */
export function addIncidentRoutes(scope: FastifyInstance, { storage, history }: AdminParts): void {
  const { incidents, events } = storage;

  addAdminResource(scope, "/incidents", {
    async GET(request) {
      const filter = readQuery(request, (query) => ({
        ...query.page(),
        ...query.given({ genre: query.word("genre", GENRES), open: query.flag("open") }),
      }));
      const found = await incidents.list(filter);
      // The state is internal to the detection.
      return { incidents: found.map((one) => adminView(one, "state")) };
    },
  });
  addAdminResource(scope, "/incidents/:id", {
    async GET(request, reply) {
      const found = await history.incident(pathParameter(request, "id"));
      if (!found) return reply.callNotFound();
      return {
        ...found,
        incident: adminView(found.incident, "state"),
        events: found.events.map((one) => adminView(one)),
        responses: found.responses.map((one) => adminView(one)),
      };
    },
  });

  addAdminResource(scope, "/events", {
    async GET(request) {
      const filter = readQuery(request, (query) => ({
        ...query.page(),
        ...query.given({ kind: query.text("kind"), subject: query.subject() }),
      }));
      const found = await events.list(filter);
      return { events: found.map((one) => adminView(one)) };
    },
  });
  addAdminResource(scope, "/events/:id", {
    async GET(request, reply) {
      const found = await history.events(pathParameter(request, "id"));
      if (found.length === 0) return reply.callNotFound();
      return {
        events: found.map(({ event, incidents, responses }) => ({
          event: adminView(event),
          incidents: incidents.map((one) => adminView(one, "state")),
          responses: responses.map((one) => adminView(one)),
        })),
      };
    },
  });
}
