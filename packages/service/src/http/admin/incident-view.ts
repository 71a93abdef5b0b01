import type { IncidentHistory } from "@riskgate/api-types";
import { formatTimestamp } from "@riskgate/core/payloads";
import type { History } from "../../intake/history.js";
import type { Subject } from "../../model/subject.js";
import { type Block, blocksIn, concerns, targetsOf } from "../../operator/blocks.js";
import { commentsOf } from "../../operator/incident-actions.js";
import { isByOperator } from "../../operator/operator-responses.js";
import { incidentTimeline } from "../../operator/incident-timeline.js";
import type { ApiAnswer } from "../api-answer.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { blockView } from "./block-view.js";
import { unlessInvalid } from "./unless-invalid.js";

/** Maximum number of responses that are searched. */
const MAX_RESPONSES = 1_000;

/** Returns an incident with everything that an operator needs to act on it. */
export async function incidentView(
  { storage, explainOf }: Pick<AdminParts, "storage" | "explainOf">,
  found: NonNullable<Awaited<ReturnType<History["incident"]>>>,
): Promise<ApiAnswer<IncidentHistory>> {
  const { incident } = found;
  const now = storage.clock();
  const inEffect = await storage.playbooks.responsesInEffect(now, incident.applicationId);
  const blocks = blocksIn(inEffect, now);
  const ips = found.addresses.map(({ name }): Subject => ({ type: "ip", subject: name }));
  const accounts = found.accounts.map(({ name }): Subject => ({ type: "account", subject: name }));
  const tests = [...ips, ...accounts].map(concerns);
  const isAbout = (block: Block): boolean => tests.some((test) => test(block));
  // Operators also act after an incident was last updated.
  const time = { since: incident.startedAt };
  const sent = await storage.playbooks.responses(incident.applicationId, MAX_RESPONSES, time);
  const known = new Set(found.responses.map(({ id }) => id));
  const byOperator = sent.filter(
    (one) => isByOperator(one) && !known.has(one.id) && targetsOf(one).some(isAbout),
  );
  const blockedUntil = (subject: Subject): string | null => {
    const own = blocks.filter(concerns(subject)).map(({ until }) => until);
    return own.length === 0 ? null : formatTimestamp(Math.max(...own));
  };
  const scored = explainOf(incident.applicationId);
  const { stepMs, since, counts } = await incidentTimeline(storage, incident, found.events, now);
  return {
    incident: adminView(incident, "state"),
    events: found.events.map((one) => adminView(one)),
    isPartial: found.isPartial,
    timeline: { stepMs, since: formatTimestamp(since), counts: [...counts] },
    addresses: await Promise.all(
      found.addresses.map(async (one, index) => {
        const explanation = await unlessInvalid(scored.explainIp(one.name));
        return {
          ...one,
          score: explanation?.score ?? null,
          country: explanation?.country ?? null,
          asn: explanation?.asn ?? null,
          blockedUntil: blockedUntil(ips[index]!),
        };
      }),
    ),
    accounts: await Promise.all(
      found.accounts.map(async (one, index) => ({
        ...one,
        score: (await unlessInvalid(scored.explainEmail(one.name)))?.score ?? null,
        blockedUntil: blockedUntil(accounts[index]!),
      })),
    ),
    responses: [...byOperator, ...found.responses]
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .map((one) => adminView(one)),
    blocks: blocks.filter(isAbout).map(blockView),
    comments: commentsOf(incident).map(({ at, ...one }) => ({ at: formatTimestamp(at), ...one })),
  };
}
