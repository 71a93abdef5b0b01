import { formatTimestamp } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { addAdminResource } from "./add-admin-resource.js";
import { pathParameter } from "../add-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { KEY_SCOPES, type Quota } from "../../model/application.js";

/** Maximum time for which two signing secrets are valid at once. */
const MAX_OVERLAP_MS = 90 * 86_400_000;

const MAX_REQUESTS = 1_000_000_000;

const DAY_SECONDS = 86_400;

/** Returns undefined if the member is missing, and null for no limit. */
function readQuota(reader: MemberReader): Quota | null | undefined {
  const given = reader.value("quota");
  if (given === undefined) return reader.isNull("quota") ? null : undefined;
  const members = new MemberReader(given, "`quota`", "quota.");
  const requests = members.whole("requests", 1, MAX_REQUESTS) ?? members.missing("requests");
  const seconds = members.whole("seconds", 1, DAY_SECONDS) ?? 60;
  members.refuseOthers();
  return { requests, seconds };
}

/** Serves an application's keys and signing secrets; each is shown only once, when it is created. */
export function addCredentialRoutes(scope: FastifyInstance, { storage }: AdminParts): void {
  const { applications } = storage;

  addAdminResource(scope, "/applications/:id/keys", {
    async GET(request, reply) {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      return { keys: (await applications.keysOf(id)).map((one) => adminView(one)) };
    },
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      const reader = new MemberReader(request.body ?? {}, "the body");
      const scope = reader.word("scope", KEY_SCOPES);
      const quota = readQuota(reader);
      reader.refuseOthers();
      if (!(await applications.get(id))) return reply.callNotFound();
      const { key, record } = await applications.addKey(id, scope, quota);
      reply.code(201);
      return { key, record: adminView(record) };
    },
  });

  addAdminResource(scope, "/applications/:id/keys/:keyId", {
    async PATCH(request, reply) {
      const reader = new MemberReader(request.body, "the body");
      const quota = readQuota(reader);
      reader.refuseOthers();
      if (quota === undefined) return reader.missing("quota");
      const [id, keyId] = [pathParameter(request, "id"), pathParameter(request, "keyId")];
      const record = await applications.setQuota(id, keyId, quota);
      return record ? { key: adminView(record) } : reply.callNotFound();
    },
    async DELETE(request, reply) {
      const isRevoked = await applications.revokeKey(
        pathParameter(request, "id"),
        pathParameter(request, "keyId"),
      );
      return isRevoked ? { revoked: true } : reply.callNotFound();
    },
  });

  addAdminResource(scope, "/applications/:id/secrets", {
    async GET(request, reply) {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      const secrets = await applications.secretsOf(id);
      return { secrets: secrets.map((secret) => adminView(secret, "value")) };
    },
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      const reader = new MemberReader(request.body ?? {}, "the body");
      const overlapMs = reader.whole("overlapMs", 0, MAX_OVERLAP_MS);
      const value = reader.line("secret", 1_024);
      if (value?.trim() === "") reader.refuse("secret", "more than blanks");
      reader.refuseOthers();
      if (!(await applications.get(id))) return reply.callNotFound();
      const secret = await applications.rotateSecret(id, {
        ...(overlapMs !== undefined && { overlapMs }),
        ...(value !== undefined && { value }),
      });
      const old = (await applications.secretsOf(id)).find(({ signs }) => signs);
      const signsFrom = old?.notAfter ?? null;
      reply.code(201);
      return {
        secret: secret.value,
        signsFrom: signsFrom === null ? null : formatTimestamp(signsFrom),
      };
    },
  });

  addAdminResource(scope, "/applications/:id/secrets/finish", {
    async POST(request, reply) {
      const id = pathParameter(request, "id");
      if (!(await applications.get(id))) return reply.callNotFound();
      return { finished: await applications.finishRotation(id) };
    },
  });
}
