import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance } from "fastify";
import { type ApplicationSettings, isSharing } from "../../model/application.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readApplicationSettings } from "./application-settings.js";

const DISABLED_BY_HAND = "disabled by an operator";

export function addApplicationRoutes(
  scope: FastifyInstance,
  { storage, dispatcher, blockedDestination, onSharingChanged }: AdminParts,
): void {
  const { applications } = storage;

  const refuseBlocked = async (settings: Partial<ApplicationSettings>): Promise<void> => {
    const { webhookUrl, allowedDestinations = [] } = settings;
    if (typeof webhookUrl !== "string") return;
    const ip = await blockedDestination(webhookUrl, allowedDestinations);
    if (ip === undefined) return;
    throw new RiskGateError(
      "INVALID_ARGUMENT",
      `\`webhookUrl\` leads to ${ip}, which is blocked: use a public address, or allow it in \`allowedDestinations\` (--allow ${ip}); this service itself is always blocked`,
    );
  };

  addAdminResource(scope, "/applications", {
    GET: async () => ({ applications: (await applications.list()).map((one) => adminView(one)) }),
    async POST({ body }, reply) {
      const { name, ...settings } = readApplicationSettings(body);
      if (name === undefined) throw new RiskGateError("INVALID_ARGUMENT", "`name` is required");
      refuseSharingSandbox(settings);
      await refuseBlocked(settings);
      const created = await storage.transaction(async ({ applications: within }) => {
        const application = await within.create({ name, ...settings });
        const { key } = await within.addKey(application.id);
        const secret = await within.rotateSecret(application.id);
        return { application: adminView(application), key, secret: secret.value };
      });
      reply.code(201);
      return created;
    },
  });

  addAdminResource(scope, "/applications/:id", {
    async GET(request, reply) {
      const application = await applications.get(pathParameter(request, "id"));
      if (!application) return reply.callNotFound();
      const keys = await applications.keysOf(application.id);
      return { application: adminView(application), keys: keys.map((one) => adminView(one)) };
    },
    async PATCH(request, reply) {
      const changes = readApplicationSettings(request.body);
      const id = pathParameter(request, "id");
      const before = await applications.get(id);
      refuseSharingSandbox({ ...before, ...changes });
      // An unchanged URL was accepted before and may be blocked only temporarily.
      if (changes.webhookUrl !== before?.webhookUrl) await refuseBlocked({ ...before, ...changes });
      const application = await applications.update(id, changes);
      if (!application) return reply.callNotFound();
      if (before && isSharing(before) !== isSharing(application)) onSharingChanged();
      dispatcher.wake();
      return { application: adminView(application) };
    },
    async DELETE(request, reply) {
      const isDeleted = await applications.delete(pathParameter(request, "id"));
      if (!isDeleted) return reply.callNotFound();
      onSharingChanged();
      return { deleted: true };
    },
  });

  addAdminResource(scope, "/applications/:id/disable", {
    async POST(request, reply) {
      const application = await applications.disable(
        pathParameter(request, "id"),
        DISABLED_BY_HAND,
      );
      return application ? { application: adminView(application) } : reply.callNotFound();
    },
  });
  addAdminResource(scope, "/applications/:id/enable", {
    async POST(request, reply) {
      const application = await applications.enable(pathParameter(request, "id"));
      dispatcher.wake();
      return application ? { application: adminView(application) } : reply.callNotFound();
    },
  });
}

function refuseSharingSandbox({ kind, sharesReports }: Partial<ApplicationSettings>): void {
  if (kind !== "sandbox" || !sharesReports) return;
  throw new RiskGateError(
    "INVALID_ARGUMENT",
    "`sharesReports`: expected false, because the reports of a sandbox count only for itself",
  );
}
