import { verify } from "@riskgate/core";
import type { FastifyInstance } from "fastify";
import { parseEndpointUrl } from "../../dispatch/endpoint-url.js";
import { signersOf } from "../../dispatch/endpoint.js";
import { requestHeaders, signDelivery } from "../../dispatch/request-headers.js";
import { MemberReader } from "../../detection/events/member-reader.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";

/** Maximum length of a body to verify, in characters. */
const MAX_BODY = 5_000_000;

export function addDeliveryRequestRoutes(scope: FastifyInstance, { storage }: AdminParts): void {
  const { applications, deliveries } = storage;

  addAdminResource(scope, "/deliveries/:id/request", {
    async GET(request, reply) {
      const delivery = await deliveries.get(pathParameter(request, "id"));
      if (!delivery) return reply.callNotFound();
      const { applicationId } = delivery;
      const application = await applications.get(applicationId);
      const [secret, ...others] = await signersOf(applications, applicationId);
      const url = application?.webhookUrl ?? null;
      const body = await deliveries.bodyOf(delivery.id);
      const host = url === null ? undefined : parseEndpointUrl(url)?.host;
      const headers =
        body && secret && host !== undefined
          ? requestHeaders(
              host,
              body,
              signDelivery(
                delivery.id,
                body,
                [secret.value, ...others.map(({ value }) => value)],
                Date.now(),
              ),
            )
          : [];
      return {
        method: "POST",
        url,
        headers: headers.map(([name, value]) => ({ name, value })),
        secretId: secret?.id ?? null,
        body: body ? Buffer.from(body).toString("utf8") : null,
      };
    },
  });

  addAdminResource(scope, "/applications/:id/verify", {
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      const reader = new MemberReader(request.body ?? {}, "the body");
      const body = reader.text("body", MAX_BODY) ?? reader.missing("body");
      const signature = reader.text("signature", 256) ?? reader.missing("signature");
      reader.refuseOthers();
      if (!(await applications.get(id))) return reply.callNotFound();
      const bytes = Buffer.from(body);
      const secrets = await applications.secretsOf(id);
      const match = secrets.find(({ value }) => verify(bytes, signature.trim(), value));
      return { valid: match !== undefined, secretId: match?.id ?? null };
    },
  });
}
