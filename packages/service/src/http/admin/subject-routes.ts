import { RiskGateError } from "@riskgate/core";
import type { DecisionRecord } from "@riskgate/api-types";
import { mailboxOf } from "@riskgate/core/address";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { FastifyInstance } from "fastify";
import { instantOf } from "../../model/instant.js";
import type { Subject } from "../../model/subject.js";
import { createAllowedSubjects } from "../../operator/allowed-subjects.js";
import { subjectHistory } from "../../operator/subject-history.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { blockView } from "./block-view.js";
import { explainEmail, explainIp } from "./explain-subject.js";
import { readQuery } from "./list-query.js";
import { unlessInvalid } from "./unless-invalid.js";

/** Serves everything that is known about one address or account. */
export function addSubjectRoutes(scope: FastifyInstance, parts: AdminParts): void {
  const { storage, scores, detection, rules } = parts;
  const allowed = createAllowedSubjects(rules);

  const explain = async ({ type, subject }: Subject, reader: string | undefined) => ({
    ip: type === "ip" ? await explainIp(parts, subject, reader) : null,
    account:
      type === "account"
        ? ((await unlessInvalid(explainEmail(parts, subject, reader))) ?? null)
        : null,
  });

  addAdminResource(scope, "/subject", {
    async GET(request) {
      const { subject, applicationId, digest } = readQuery(request, (query) => ({
        subject: query.subject(),
        applicationId: query.text("applicationId"),
        digest: query.digest(),
      }));
      if (!subject) throw new RiskGateError("INVALID_ARGUMENT", "`ip` or `account` is missing");
      if (applicationId !== undefined && !(await storage.applications.get(applicationId))) {
        throw new RiskGateError("INVALID_ARGUMENT", "`applicationId`: the application is unknown");
      }
      const found = await subjectHistory(
        { storage, scores, settings: detection, clock: storage.clock },
        subject,
        {
          ...(applicationId !== undefined && { applicationId }),
          ...(digest !== undefined && { digest }),
        },
      );
      return {
        type: subject.type === "ip" ? ("ip" as const) : ("account" as const),
        subject: subject.subject,
        identity: subject.type === "ip" ? subject.subject : mailboxOf(subject.subject),
        isAllowed: allowed.has(subject),
        explanation: await explain(subject, applicationId),
        ...found,
        events: found.events.map((one) => adminView(one)),
        incidents: found.incidents.map((one) => adminView(one, "state")),
        responses: found.responses.map((one) => adminView(one)),
        blocks: found.blocks.map(blockView),
        logins: found.logins.map(({ at, ...login }) => ({ ...login, at: formatTimestamp(at) })),
        labels: found.labels.map(({ applicationId: id, label, labelledAt }) => ({
          applicationId: id,
          label,
          labelledAt: formatTimestamp(labelledAt),
        })),
        lookups: found.lookups.map(({ applicationId: id, score, atMs }) => ({
          applicationId: id,
          score,
          answeredAt: formatTimestamp(instantOf(atMs)),
        })),
        decisions: found.decisions.map(({ record, ...one }) => ({
          ...adminView(one),
          // It was validated before it was stored.
          record: record as unknown as DecisionRecord,
        })),
      };
    },
  });
}
