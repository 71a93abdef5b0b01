import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance } from "fastify";
import { readPlaybook } from "../../detection/playbooks/playbook.js";
import type { PlaybookSettings } from "../../model/playbook.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

export function addPlaybookRoutes(scope: FastifyInstance, { storage }: AdminParts): void {
  const { applications, playbooks } = storage;

  addAdminResource(scope, "/applications/:id/playbooks", {
    async GET(request, reply) {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      return { playbooks: (await playbooks.list(id)).map((one) => adminView(one)) };
    },
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      const settings = settingsOf(request.body);
      if (!(await applications.get(id))) return reply.callNotFound();
      const playbook = await playbooks.create(id, settings);
      reply.code(201);
      return { playbook: adminView(playbook) };
    },
  });

  addAdminResource(scope, "/playbooks", {
    GET: async () => ({ playbooks: (await playbooks.list()).map((one) => adminView(one)) }),
  });
  addAdminResource(scope, "/playbooks/:id", {
    async GET(request, reply) {
      const playbook = await playbooks.get(pathParameter(request, "id"));
      return playbook ? { playbook: adminView(playbook) } : reply.callNotFound();
    },
    async PATCH(request, reply) {
      const playbook = await playbooks.get(pathParameter(request, "id"));
      if (!playbook) return reply.callNotFound();
      // Validates the whole playbook, so that no change makes it invalid.
      const { name, rule, response, enabled } = playbook;
      const changes = request.body;
      if (typeof changes !== "object") {
        throw new RiskGateError("INVALID_ARGUMENT", "the body must be an object");
      }
      const settings = settingsOf({ name, rule, response, enabled, ...changes });
      const changed = await playbooks.update(playbook.id, settings);
      return changed ? { playbook: adminView(changed) } : reply.callNotFound();
    },
    async DELETE(request, reply) {
      const isDeleted = await playbooks.delete(pathParameter(request, "id"));
      return isDeleted ? { deleted: true } : reply.callNotFound();
    },
  });

  addAdminResource(scope, "/applications/:id/responses", {
    async GET(request, reply) {
      const id = pathParameter(request, "id");
      const limit = readQuery(request, (query) => query.limit);
      if (!(await applications.get(id))) return reply.callNotFound();
      return { responses: (await playbooks.responses(id, limit)).map((one) => adminView(one)) };
    },
  });
}

/** Reads a playbook and fills in the defaults, so that changing a default later does not alter it. */
function settingsOf(body: unknown): PlaybookSettings {
  const { name, enabled, rule, response } = readPlaybook(body);
  return { name, enabled, rule: { ...rule }, response: { ...response } };
}
