import { formatTimestamp } from "@riskgate/core/payloads";
import { checkRuleText } from "@riskgate/core/internal";
import type { FastifyInstance } from "fastify";
import { MemberReader } from "../../detection/events/member-reader.js";
import { SERVICE_RULE_VOCABULARY } from "../../lookups/operator-rule-set.js";
import { stopDeadline } from "../request-deadline.js";
import { addAdminResource } from "./add-admin-resource.js";
import type { AdminParts } from "./admin-parts.js";
import { readDays } from "./dry-run-days.js";

/** Maximum length of text to check, in characters; the largest valid set is shorter. */
const MAX_TEXT = 2_000_000;

const MAX_PROBLEMS = 100;

export function addOperatorRuleRoutes(
  scope: FastifyInstance,
  { rules, rulesDryRun }: Pick<AdminParts, "rules" | "rulesDryRun">,
): void {
  addAdminResource(scope, "/rules", {
    GET: async () => ({ rules: rules.list() }),
    async PUT({ body }) {
      await rules.replace(body);
      return { count: rules.list().length };
    },
  });
  addAdminResource(scope, "/rules/check", {
    async POST({ body }) {
      const reader = new MemberReader(body ?? {}, "the body");
      const text = reader.text("text", MAX_TEXT) ?? reader.missing("text");
      reader.refuseOthers();
      const { rules: read, problems } = await checkRuleText(text, SERVICE_RULE_VOCABULARY);
      return { count: read.length, problems: problems.slice(0, MAX_PROBLEMS) };
    },
  });
  addAdminResource(scope, "/rules/dry-run", {
    async POST(request) {
      stopDeadline(request);
      const { days, rest } = readDays(request);
      const { since, ...result } = await rulesDryRun(rest, days);
      return { since: formatTimestamp(since), ...result };
    },
  });
}
