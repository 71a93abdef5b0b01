import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { createRejudge, type RejudgeOptions } from "@riskgate/core/internal";
import type { FastifyInstance } from "fastify";
import { rehearseDecisions } from "../../rehearsal/rehearse-decisions.js";
import { rehearseLookups } from "../../rehearsal/rehearse-lookups.js";
import { instantOf } from "../../model/instant.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { adminView } from "./admin-view.js";
import { readQuery } from "./list-query.js";

/** Serves the outcomes of recent scores and decisions under other thresholds. */
export function addRehearsalRoute(
  scope: FastifyInstance,
  { storage, scores }: Pick<AdminParts, "storage" | "scores">,
): void {
  addAdminResource(scope, "/rehearsal", {
    async GET(request) {
      const { applicationId, limit, thresholds, outcomes } = readQuery(request, (query) => ({
        applicationId: query.text("applicationId"),
        limit: query.limit,
        thresholds: query.given({
          flagAbove: query.score("flagAbove"),
          challengeAbove: query.score("challengeAbove"),
          rejectAbove: query.score("rejectAbove"),
        }),
        outcomes: query.given({
          reject: query.flags("reject"),
          challenge: query.flags("challenge"),
          flag: query.flags("flag"),
        }),
      }));
      const isGiven = Object.keys(outcomes).length > 0;
      const rejudge = rejudgeOf(isGiven ? { ...thresholds, outcomes } : thresholds);
      const view = scores.view(applicationId);
      const { examples, ...lookups } = rehearseLookups(view, rejudge, limit);
      const decided = await rehearseDecisions(storage, { applicationId, rejudge, limit });
      return {
        thresholds,
        lookups: {
          ...adminView({ keptSince: instantOf(view.sinceMs), ...lookups }),
          scores: { ips: view.counts.ip, emails: view.counts.email },
          examples: examples.map(({ atMs, ...one }) =>
            adminView({ ...one, answeredAt: instantOf(atMs) }),
          ),
        },
        decisions: {
          ...adminView(decided),
          examples: decided.examples.map((one) => adminView(one)),
        },
      };
    },
  });
}

/** Creates the rejudge function, and reports wrong settings as a caller error. */
function rejudgeOf(options: RejudgeOptions): ReturnType<typeof createRejudge> {
  try {
    return createRejudge(options);
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    throw new RiskGateError("INVALID_ARGUMENT", error.message, { cause: error });
  }
}
