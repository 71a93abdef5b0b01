import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { readSubject } from "./read-subject.js";

export function addMaintenanceRoutes(
  scope: FastifyInstance,
  { storage, feeds, onErased }: AdminParts,
): void {
  addAdminResource(scope, "/erasures", {
    async POST({ body }) {
      const reader = new MemberReader(body, "the body");
      const subject = readSubject(reader) ?? reader.refuse("ip", "given if `account` is missing");
      reader.refuseOthers();
      const subjects = await storage.ledger.spellingsOf(subject);
      const erased = await storage.erase(subject);
      for (const one of subjects) onErased(one);
      return { erased };
    },
  });
  addAdminResource(scope, "/feeds", { GET: async () => ({ feeds: feeds.list() }) });
  addAdminResource(scope, "/feeds/reload", {
    async POST() {
      await feeds.reload();
      return { feeds: feeds.list() };
    },
  });
  addAdminResource(scope, "/feeds/update", {
    async POST() {
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
