import { isRiskGateError } from "@riskgate/core";
import { foldEmail, normalizeIp } from "@riskgate/core/address";
import type { FastifyInstance, FastifyReply } from "fastify";
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
export function addExplainRoutes(scope: FastifyInstance, { storage, explain }: AdminParts): void {
  addAdminResource(scope, "/explain/ips/:ip", {
    GET: ({ raw }, reply) =>
      answer(raw.url, reply, INVALID_IP, async (given) => {
        const explanation = await explain.explainIp(given);
        const ip = normalizeIp(given)!;
        const subject: Subject = { type: "ip", subject: ip };
        const view = explanationView(explanation, {
          assessment: ipBody(ip, explanation.assessment),
          entries: await entriesOf(storage, subject, explanation.history.security_events_count),
          rules: explanation.rule ? [explanation.rule] : [],
        });
        return { ...view, geo: geoView(explanation) };
      }),
  });
  addAdminResource(scope, "/explain/emails/:email", {
    GET: ({ raw }, reply) =>
      answer(raw.url, reply, INVALID_EMAIL, async (email) => {
        const explanation = await explain.explainEmail(email);
        const subject: Subject = { type: "account", subject: foldEmail(email) };
        const view = explanationView(explanation, {
          assessment: emailBody(email, explanation.assessment),
          entries: await entriesOf(storage, subject, explanation.history.security_events_count),
          rules: explanation.rule ? [explanation.rule] : [],
        });
        return { ...view, is_forwarding: explanation.assessment.is_forwarding === true };
      }),
  });
}

async function answer<T>(
  url: string | undefined,
  reply: FastifyReply,
  invalid: ErrorBody,
  explained: (identifier: string) => Promise<T>,
): Promise<T | FastifyReply> {
  // Taken from the raw URL and decoded once, as in a lookup.
  const identifier = decodeSegment(lastSegment(url ?? ""));
  if (identifier === undefined) return reply.code(400).send(invalid);
  try {
    return await explained(identifier);
  } catch (error) {
    if (isRiskGateError(error) && error.code === "INVALID_ARGUMENT") {
      return reply.code(400).send(invalid);
    }
    throw error;
  }
}

/**
 * Returns the newest entries of a subject.
 * @param count Number of the subject's entries in the in-memory ledger.
 */
async function entriesOf(
  { ledger, events }: Storage,
  subject: Subject,
  count: number,
): Promise<readonly ExplainedEntry[]> {
  let found = await ledger.entriesOf(subject, MAX_ENTRIES);
  // Missing entries are stored under other spellings of the mailbox; finding those searches all accounts.
  if (found.length < Math.min(count, MAX_ENTRIES)) {
    const spellings = await ledger.spellingsOf(subject);
    const lists = await Promise.all(spellings.map((one) => ledger.entriesOf(one, MAX_ENTRIES)));
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
