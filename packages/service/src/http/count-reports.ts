import type { Report } from "../detection/events/report.js";
import { takeDecisions } from "../intake/decision-intake.js";
import { takeLabels } from "../intake/label-intake.js";
import type { Reporter, ReportOptions } from "../model/reporter.js";
import type { Storage } from "../storage/storage.js";
import type { AdminParts } from "./admin/admin-parts.js";
import type { Metrics, ReportKind } from "./metrics.js";

export function countReports(
  intake: Omit<AdminParts["intake"], "decisions" | "labels">,
  { decisions, labels, clock }: Pick<Storage, "decisions" | "labels" | "clock">,
  metrics: Metrics,
): AdminParts["intake"] {
  const counted =
    (
      kind: ReportKind,
      take: (reporter: Reporter, value: unknown, how?: ReportOptions) => Promise<Report>,
    ): typeof take =>
    async (reporter, value, how) => {
      const report = await take(reporter, value, how);
      metrics.report(idOf(reporter), kind, report);
      return report;
    };
  return {
    report: counted("event", (id, events, how) => intake.report(id, events, how)),
    outcomes: counted("login", (id, outcomes, how) => intake.outcomes(id, outcomes, how)),
    counters: counted("counter", (id, sample, how) => intake.counters(id, sample, how)),
    decisions: counted("decision", (id, records) => takeDecisions(decisions, idOf(id), records)),
    labels: counted("label", (id, values) => takeLabels(labels, idOf(id), values, clock())),
  };
}

function idOf(reporter: Reporter): string {
  return typeof reporter === "string" ? reporter : reporter.id;
}
