import { RiskGateError } from "@riskgate/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorBody, INVALID_EMAIL, INVALID_IP } from "../error-body.js";
import { decodeSegment, lastSegment } from "../lookup-path.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { explainEmail, explainIp } from "./explain-subject.js";
import { unlessInvalid } from "./unless-invalid.js";

/** Serves the reasons for scores. Paths contain identifiers in the same form as lookup paths. */
export function addExplainRoutes(scope: FastifyInstance, parts: AdminParts): void {
  const answering =
    <T>(invalid: ErrorBody, explained: (identifier: string, reader?: string) => Promise<T>) =>
    async ({ raw, query }: FastifyRequest, reply: FastifyReply): Promise<T | FastifyReply> => {
      const applicationId = (
        query as { applicationId?: string | string[] }
      ).applicationId?.toString();
      if (applicationId !== undefined && !(await parts.storage.applications.get(applicationId))) {
        throw new RiskGateError("INVALID_ARGUMENT", "`applicationId`: the application is unknown");
      }
      // Taken from the raw URL and decoded once, as in a lookup.
      const identifier = decodeSegment(lastSegment(raw.url ?? ""));
      if (identifier === undefined) return reply.code(400).send(invalid);
      const explanation = await unlessInvalid(explained(identifier, applicationId));
      return explanation ?? reply.code(400).send(invalid);
    };

  addAdminResource(scope, "/explain/ips/:ip", {
    GET: answering(INVALID_IP, (ip, reader) => explainIp(parts, ip, reader)),
  });
  addAdminResource(scope, "/explain/emails/:email", {
    GET: answering(INVALID_EMAIL, (email, reader) => explainEmail(parts, email, reader)),
  });
}
