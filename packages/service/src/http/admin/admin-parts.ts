import type { FeedInfo, FeedOutcome } from "@riskgate/engine";
import type { DetectionSettings } from "../../detection/detection-settings.js";
import type { Report } from "../../detection/events/report.js";
import type { DestinationCheck } from "../../dispatch/destination-check.js";
import type { DispatchNotice } from "../../dispatch/dispatch-notice.js";
import type { Reporter, ReportOptions } from "../../model/reporter.js";
import type { History } from "../../intake/history.js";
import type { LookupHistory } from "../../lookups/lookup-history.js";
import type { OperatorRuleDryRun } from "../../lookups/operator-rule-dry-run.js";
import type { EngineWithRules } from "../../lookups/engine-with-rules.js";
import type { ServiceRules } from "../../lookups/operator-rule-set.js";
import type { Application } from "../../model/application.js";
import type { StoredDelivery } from "../../model/delivery.js";
import type { Instant } from "../../model/instant.js";
import type { Playbook, StoredResponse } from "../../model/playbook.js";
import type { AllowList } from "../../operator/allow-list.js";
import type { RecentScores } from "../../rehearsal/recent-scores.js";
import type { Storage } from "../../storage/storage.js";
import type { ServiceAddresses } from "../service-addresses.js";

export interface AdminParts {
  readonly storage: Storage;
  /** Accepts an array of reports; rejects with INVALID_ARGUMENT for any other value. */
  readonly intake: {
    report(application: Reporter, events: unknown, options?: ReportOptions): Promise<Report>;
    outcomes(application: Reporter, outcomes: unknown, options?: ReportOptions): Promise<Report>;
    counters(application: Reporter, sample: unknown, options?: ReportOptions): Promise<Report>;
    decisions(application: Reporter, records: unknown): Promise<Report>;
    labels(application: Reporter, labels: unknown): Promise<Report>;
  };
  readonly dispatcher: {
    wake(): void;
    /** Resolves to undefined for an unknown delivery. */
    retry(deliveryId: string): Promise<StoredDelivery | undefined>;
    sendTest(applicationId: string): Promise<string>;
  };
  readonly onNotice: (notice: DispatchNotice) => void;
  /** Checks a webhook URL when it is set. */
  readonly blockedDestination: DestinationCheck;
  readonly feeds: {
    list(): readonly FeedInfo[];
    reload(): Promise<void>;
    /** Downloads the published lists now; rejects with CONFIG_INVALID if no copies are stored. */
    update(): Promise<readonly FeedOutcome[]>;
  };
  readonly rules: Pick<ServiceRules, "list" | "replace" | "follow">;
  /** True if an operator allows a target by name, so that nothing may block it. */
  readonly isAllowed: AllowList["covers"];
  readonly rulesDryRun: OperatorRuleDryRun;
  /**
   * Explains the scores of an application, by default from the reports of all applications; rejects
   * with INVALID_ARGUMENT for an invalid identifier.
   */
  readonly explainOf: (id?: string) => Pick<EngineWithRules, "explainIp" | "explainEmail">;
  readonly lookups: Pick<LookupHistory, "steps">;
  readonly scores: Pick<RecentScores, "view">;
  readonly history: History;
  readonly detection: DetectionSettings;
  readonly addresses: Pick<ServiceAddresses, "dashboardUrl">;
  readonly dryRun: (
    application: Application,
    playbook: Playbook,
    days: number,
  ) => Promise<ShownDryRun>;
  /** Called after a subject was erased from the storage, to erase it from memory too. */
  readonly onErased: () => void;
  /** Called after it changed which reports count for an application, before the response. */
  readonly onSharingChanged: () => void;
  /** Called after every change and before the response, because keys may have been revoked. */
  readonly onChanged: () => Promise<void>;
}

interface ShownDryRun {
  readonly since: Instant;
  readonly events: number;
  readonly isPartial: boolean;
  readonly responseCount: number;
  readonly responses: readonly Pick<StoredResponse, "createdAt" | "endsAt" | "payload">[];
}
