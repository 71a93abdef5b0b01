import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Subject } from "../../model/subject.js";
import type { Storage } from "../../storage/storage.js";
import { emailBody, ipBody } from "../assessment-body.js";
import { type ErrorBody, INVALID_EMAIL, INVALID_IP } from "../error-body.js";
import { decodeSegment, lastSegment } from "../lookup-path.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { type ExplainedEntry, explanationView, geoView } from "./explanation-view.js";

/** Maximum number of ledger entries shown; the counts include all entries. */
const MAX_ENTRIES = 20;

/** Serves the reasons for scores. Paths contain identifiers in the same form as lookup paths. */
export function addExplainRoutes(scope: FastifyInstance, { storage, explainOf }: AdminParts): void {
  const answering =
    <T>(invalid: ErrorBody, explained: (identifier: string, reader?: string) => Promise<T>) =>
    async ({ raw, query }: FastifyRequest, reply: FastifyReply): Promise<T | FastifyReply> => {
      const applicationId = (
        query as { applicationId?: string | string[] }
      ).applicationId?.toString();
      if (applicationId !== undefined && !(await storage.applications.get(applicationId))) {
        throw new RiskGateError("INVALID_ARGUMENT", "`applicationId`: the application is unknown");
      }
      // Taken from the raw URL and decoded once, as in a lookup.
      const identifier = decodeSegment(lastSegment(raw.url ?? ""));
      if (identifier === undefined) return reply.code(400).send(invalid);
      try {
        return await explained(identifier, applicationId);
      } catch (error) {
        if (!isRiskGateError(error) || error.code !== "INVALID_ARGUMENT") throw error;
        return reply.code(400).send(invalid);
      }
    };

  addAdminResource(scope, "/explain/ips/:ip", {
    GET: answering(INVALID_IP, async (given, reader) => {
      const explanation = await explainOf(reader).explainIp(given);
      const ip = normalizeIp(given)!;
      const { rule, history } = explanation;
      const subject: Subject = { type: "ip", subject: ip };
      const view = explanationView(explanation, {
        assessment: ipBody(ip, explanation.assessment),
        entries: await entriesOf(storage, subject, history.security_events_count, reader),
        rules: rule ? [rule] : [],
      });
      return { ...view, geo: geoView(explanation) };
    }),
  });
  addAdminResource(scope, "/explain/emails/:email", {
    GET: answering(INVALID_EMAIL, async (email, reader) => {
      const explanation = await explainOf(reader).explainEmail(email);
      const { rule, history } = explanation;
      const subject: Subject = { type: "account", subject: foldEmail(email) };
      const view = explanationView(explanation, {
        assessment: emailBody(email, explanation.assessment),
        entries: await entriesOf(storage, subject, history.security_events_count, reader),
        rules: rule ? [rule] : [],
      });
      return { ...view, is_forwarding: explanation.assessment.is_forwarding === true };
    }),
  });
}

/**
 * Returns the newest entries of a subject.
 * @param count Number of the subject's entries in the in-memory ledger.
 * @param reader Application for which the entries count; default any.
 */
async function entriesOf(
  { ledger, events }: Storage,
  subject: Subject,
  count: number,
  reader: string | undefined,
): Promise<readonly ExplainedEntry[]> {
  const scope = reader === undefined ? undefined : { isShared: true, applicationId: reader };
  const newestOf = (one: Subject) => ledger.entriesOf(one, MAX_ENTRIES, scope);
  let found = await newestOf(subject);
  // Missing entries are stored under other spellings of the mailbox; finding those searches all accounts.
  if (found.length < Math.min(count, MAX_ENTRIES)) {
    const spellings = await ledger.spellingsOf(subject);
    const lists = await Promise.all(spellings.map(newestOf));
    found = lists
      .flat()
      .toSorted((one, other) => other.occurredAt - one.occurredAt)
      .slice(0, MAX_ENTRIES);
  }
  const kinds = new Map<string, string>();
  for (const applicationId of new Set(found.map((entry) => entry.applicationId))) {
    const ids = found
      .filter((entry) => entry.applicationId === applicationId)
      .map(({ eventId }) => eventId);
    for (const { id, kind } of await events.withIds(applicationId, ids)) {
      kinds.set(`${applicationId}/${id}`, kind);
    }
  }
  return found.map((entry) => ({
    ...entry,
    kind: kinds.get(`${entry.applicationId}/${entry.eventId}`),
  }));
}
