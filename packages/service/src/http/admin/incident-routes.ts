import { INCIDENT_GENRES } from "@riskgate/core";
import type { IncidentGenre } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { createIncidentActions } from "../../operator/incident-actions.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { eventView } from "./event-view.js";
import { incidentView } from "./incident-view.js";
import { readQuery } from "./list-query.js";

/** Maximum length of a comment, in characters. */
const MAX_COMMENT = 2_000;

const GENRES = Object.keys(INCIDENT_GENRES) as readonly IncidentGenre[];

/** Serves incidents and security events of all applications, each with its related records. */
export function addIncidentRoutes(scope: FastifyInstance, parts: AdminParts): void {
  const { storage, history, detection: settings, addresses, dispatcher } = parts;
  const { incidents, events } = storage;
  const actions = createIncidentActions({
    storage,
    settings,
    dashboardUrl: () => addresses.dashboardUrl(),
    clock: storage.clock,
    onQueued: () => dispatcher.wake(),
  });

  addAdminResource(scope, "/incidents", {
    async GET(request) {
      const filter = readQuery(request, (query) => ({
        ...query.page(),
        ...query.period(),
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
      return found ? incidentView(parts, found) : reply.callNotFound();
    },
  });
  addAdminResource(scope, "/incidents/:id/comments", {
    async POST(request, reply) {
      const reader = new MemberReader(request.body ?? {}, "the body");
      const text = reader.text("text", MAX_COMMENT) ?? reader.missing("text");
      reader.refuseOthers();
      const changed = await actions.comment(pathParameter(request, "id"), text);
      if (!changed) return reply.callNotFound();
      reply.code(201);
      return { incident: adminView(changed, "state") };
    },
  });
  addAdminResource(scope, "/incidents/:id/close", {
    async POST(request, reply) {
      const reader = new MemberReader(request.body ?? {}, "the body");
      const text = reader.text("text", MAX_COMMENT);
      reader.refuseOthers();
      const changed = await actions.close(pathParameter(request, "id"), text);
      return changed ? { incident: adminView(changed, "state") } : reply.callNotFound();
    },
  });

  addAdminResource(scope, "/events", {
    async GET(request) {
      const filter = readQuery(request, (query) => ({
        ...query.page(),
        ...query.period(),
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
      return { events: await Promise.all(found.map((one) => eventView(parts, one))) };
    },
  });
}
