import type { Report } from "../detection/events/report.js";
import { takeDecisions } from "../intake/decision-intake.js";
import type { Intake } from "../intake/intake.js";
import type { Storage } from "../storage/storage.js";
import type { AdminParts } from "./admin/admin-parts.js";
import type { Metrics, ReportKind } from "./metrics.js";

export function countReports(
  intake: Intake,
  { decisions }: Pick<Storage, "decisions">,
  metrics: Metrics,
): AdminParts["intake"] {
  const counted =
    (
      kind: ReportKind,
      take: (id: string, value: unknown) => Promise<Report>,
    ): ((id: string, value: unknown) => Promise<Report>) =>
    async (id, value) => {
      const report = await take(id, value);
      metrics.report(id, kind, report);
      return report;
    };
  return {
    report: counted("event", (id, events) => intake.report(id, events)),
    outcomes: counted("login", (id, outcomes) => intake.outcomes(id, outcomes)),
    counters: counted("counter", (id, sample) => intake.counters(id, sample)),
    decisions: counted("decision", (id, records) => takeDecisions(decisions, id, records)),
  };
}
