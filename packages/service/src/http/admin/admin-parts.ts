import type { RuledEngine } from "../../lookups/ruled-engine.js";
import type { RulesDryRun } from "../../lookups/operator-rule-dry-run.js";
import type { ServiceRules } from "../../lookups/service-rules.js";
import type { FeedInfo, FeedOutcome } from "@riskgate/engine";
import type { DryRun } from "../../intake/dry-run.js";
import type { History } from "../../intake/history.js";
import type { RecentScores } from "../../rehearsal/recent-scores.js";
import type { Storage } from "../../storage/storage.js";
import type { DestinationCheck } from "../../dispatch/destination-check.js";
import type { StoredDelivery } from "../../model/delivery.js";
import type { Subject } from "../../model/subject.js";
import type { LookupHistory } from "../../lookups/lookup-history.js";

/** A feed, as far as it is looked at; all of it is shown. */
export type FeedView = Pick<FeedInfo, "name" | "size" | "ageMs">;

/** What the administration API works on. */
export interface AdminParts {
  readonly storage: Storage;
  /** Takes reports; rejects with INVALID_ARGUMENT for anything but an array of them. */
  readonly intake: {
    report(applicationId: string, events: unknown): Promise<object>;
    outcomes(applicationId: string, outcomes: unknown): Promise<object>;
    counters(applicationId: string, sample: unknown): Promise<object>;
    decisions(applicationId: string, records: unknown): Promise<object>;
  };
  readonly dispatcher: {
    wake(): void;
    /** Undefined for an unknown delivery. */
    retry(deliveryId: string): Promise<StoredDelivery | undefined>;
    /** Resolves to the id of the payload. */
    sendTest(applicationId: string): Promise<string>;
  };
  /** Asked when a webhook URL is set. */
  readonly blockedDestination: DestinationCheck;
  readonly feeds: {
    list(): readonly FeedView[];
    reload(): Promise<void>;
    /** Asks for the published lists now; rejects with CONFIG_INVALID where none are kept. */
    update(): Promise<readonly FeedOutcome[]>;
  };
  readonly rules: Pick<ServiceRules, "list" | "replace">;
  readonly rulesDryRun: RulesDryRun;
  /** Reasons for scores; both reject with INVALID_ARGUMENT for what cannot be looked up. */
  readonly explain: Pick<RuledEngine, "explainIp" | "explainEmail">;
  readonly lookups: Pick<LookupHistory, "steps">;
  readonly scores: Pick<RecentScores, "view">;
  readonly history: History;
  readonly dryRun: DryRun;
  /** Called when a subject was erased from the storage, to erase it from memory as well. */
  readonly onErased: (subject: Subject) => void;
  /** Called after every change, before the answer: keys may have been revoked. */
  readonly onChanged: () => Promise<void>;
}
