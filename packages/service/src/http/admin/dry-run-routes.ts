import { formatTimestamp } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { loadPlaybook, readPlaybook } from "../../detection/playbooks/playbook.js";
import type { Playbook } from "../../model/playbook.js";
import type { Application } from "../../model/application.js";
import { stopDeadline } from "../request-deadline.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readDays } from "./dry-run-days.js";

export function addDryRunRoutes(scope: FastifyInstance, { storage, dryRun }: AdminParts): void {
  const { applications, playbooks } = storage;

  const run = async (application: Application, playbook: Playbook, days: number) => {
    const { since, responses, ...result } = await dryRun(application, playbook, days);
    return {
      ...result,
      since: formatTimestamp(since),
      responses: responses.map(({ createdAt, endsAt, payload }) =>
        adminView({ createdAt, endsAt, payload }),
      ),
    };
  };

  addAdminResource(scope, "/applications/:id/playbooks/dry-run", {
    async POST(request, reply) {
      stopDeadline(request);
      const { days, rest } = readDays(request);
      const playbook = readPlaybook({ name: "Dry run", ...rest });
      const application = await applications.get(pathParameter(request, "id"));
      return application ? run(application, playbook, days) : reply.callNotFound();
    },
  });

  addAdminResource(scope, "/playbooks/:id/dry-run", {
    async POST(request, reply) {
      stopDeadline(request);
      const { days, rest } = readDays(request);
      new MemberReader(rest, "the body").refuseOthers();
      const stored = await playbooks.get(pathParameter(request, "id"));
      const playbook = stored && loadPlaybook(stored);
      const application = stored && (await applications.get(stored.applicationId));
      return playbook && application ? run(application, playbook, days) : reply.callNotFound();
    },
  });
}
