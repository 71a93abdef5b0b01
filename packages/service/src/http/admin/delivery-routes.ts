import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { DELIVERY_STATES } from "../../model/delivery.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

export function addDeliveryRoutes(
  scope: FastifyInstance,
  { storage, dispatcher, onNotice }: AdminParts,
): void {
  const { applications, deliveries } = storage;

  addAdminResource(scope, "/deliveries", {
    async GET(request) {
      const filter = readQuery(request, (query) => ({
        ...query.page(),
        ...query.period(),
        ...query.given({ state: query.word("state", DELIVERY_STATES) }),
      }));
      const found = await deliveries.list(filter);
      return { deliveries: found.map((one) => adminView(one)) };
    },
  });

  addAdminResource(scope, "/deliveries/retry", {
    async POST({ body }) {
      const reader = new MemberReader(body ?? {}, "the body");
      const now = storage.clock();
      const filter = {
        state: reader.word("state", ["dead", "cancelled"] as const) ?? reader.missing("state"),
        applicationId: reader.text("applicationId", 128),
        createdSince:
          reader.value("createdSince") === undefined ? 0 : reader.instant(now, "createdSince"),
        createdBefore: reader.instant(now, "createdBefore"),
        afterSeq: reader.whole("afterSeq", 0, Number.MAX_SAFE_INTEGER) ?? 0,
      };
      reader.refuseOthers();
      const page = await deliveries.retryAll(filter);
      dispatcher.wake();
      const { state, applicationId } = filter;
      if (page.retried > 0)
        onNotice({ type: "retried", applicationId, state, count: page.retried });
      return page;
    },
  });

  addAdminResource(scope, "/deliveries/:id", {
    async GET(request, reply) {
      const delivery = await deliveries.get(pathParameter(request, "id"));
      if (!delivery) return reply.callNotFound();
      const attempts = await deliveries.attemptsOf(delivery.id);
      return { delivery: adminView(delivery), attempts: attempts.map((one) => adminView(one)) };
    },
  });

  addAdminResource(scope, "/deliveries/:id/retry", {
    async POST(request, reply) {
      const retried = await dispatcher.retry(pathParameter(request, "id"));
      return retried ? { delivery: adminView(retried) } : reply.callNotFound();
    },
  });

  addAdminResource(scope, "/applications/:id/test", {
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      reply.code(202);
      return { id: await dispatcher.sendTest(id) };
    },
  });
}
