import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { stopDeadline } from "../request-deadline.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { readSubject } from "./read-subject.js";

export function addMaintenanceRoutes(
  scope: FastifyInstance,
  { storage, feeds, onErased }: AdminParts,
): void {
  addAdminResource(scope, "/erasures", {
    async POST(request) {
      stopDeadline(request);
      const reader = new MemberReader(request.body, "the body");
      const subject = readSubject(reader) ?? reader.refuse("ip", "given if `account` is missing");
      reader.refuseOthers();
      const erased = await storage.erase(subject);
      onErased();
      return { erased };
    },
  });
  addAdminResource(scope, "/feeds", { GET: async () => ({ feeds: feeds.list() }) });
  addAdminResource(scope, "/feeds/reload", {
    async POST(request) {
      stopDeadline(request);
      await feeds.reload();
      return { feeds: feeds.list() };
    },
  });
  addAdminResource(scope, "/feeds/update", {
    async POST(request) {
      stopDeadline(request);
      const outcomes = await feeds.update();
      return {
        outcomes: outcomes.map((one) => ({
          name: one.name,
          state: one.state,
          reason: one.state === "refused" ? one.error.message : null,
        })),
        feeds: feeds.list(),
      };
    },
  });
}
