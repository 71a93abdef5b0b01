import type { EventHistory } from "@riskgate/api-types";
import type { History } from "../../intake/history.js";
import { blocksIn, concerns } from "../../operator/blocks.js";
import type { ApiAnswer } from "../api-answer.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { blockView } from "./block-view.js";

/** Returns an event with what followed from it, and what blocks its addresses and accounts now. */
export async function eventView(
  { storage }: Pick<AdminParts, "storage">,
  { event, subjects, incidents, responses }: Awaited<ReturnType<History["events"]>>[number],
): Promise<ApiAnswer<EventHistory>> {
  const now = storage.clock();
  const inEffect = await storage.playbooks.responsesInEffect(now, event.applicationId);
  const tests = subjects.map(concerns);
  return {
    event: adminView(event),
    incidents: incidents.map((one) => adminView(one, "state")),
    responses: responses.map((one) => adminView(one)),
    blocks: blocksIn(inEffect, now)
      .filter((block) => tests.some((test) => test(block)))
      .map(blockView),
  };
}
