/** Answers of the administration API, as far as the pages show them; `openapi.yaml` has them all. */
import type { Outcome } from "./thresholds.js";

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly kind: "ordinary" | "sandbox";
  readonly webhookUrl: string | null;
  readonly payloadTypes: readonly string[];
  readonly eventKinds: readonly string[] | null;
  readonly incidentGenres: readonly string[] | null;
  readonly oneTypePerCall: boolean;
  readonly maxBodyBytes: number;
  readonly allowedDestinations: readonly string[];
  readonly failingSince: string | null;
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly createdAt: string;
}

export interface ApiKey {
  readonly id: string;
  readonly scope: "lookup" | "report";
  readonly hint: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface SigningSecret {
  readonly id: string;
  readonly createdAt: string;
  readonly notAfter: string | null;
  readonly signs: boolean;
}

export const DELIVERY_STATES = ["pending", "delivered", "dead", "cancelled"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  readonly id: string;
  readonly applicationId: string;
  readonly seq: number;
  readonly payloadCount: number;
  readonly bodyBytes: number;
  readonly createdAt: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly location: string | null;
  readonly excerpt: string | null;
}

/** A delivery as it is sent; without URL, headers or body where it cannot be. */
export interface DeliveryRequest {
  readonly method: string;
  readonly url: string | null;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | null;
}

export type Payload = Readonly<Record<string, unknown>>;

export interface SecurityEvent {
  readonly seq: number;
  readonly id: string;
  readonly applicationId: string;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly highRisk: boolean;
  readonly payload: Payload;
}

export interface Incident {
  readonly seq: number;
  readonly id: string;
  readonly applicationId: string;
  readonly genre: string;
  readonly subject: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly updatedAt: string;
  readonly payload: Payload;
}

/** A response that a playbook sent, or would have sent. */
export interface PlaybookResponse {
  readonly id?: string;
  readonly playbookId?: string;
  readonly createdAt: string;
  readonly endsAt: string;
  readonly payload: Payload;
}

export interface Occurrence {
  readonly name: string;
  readonly events: number;
}

export interface IncidentHistory {
  readonly incident: Incident;
  readonly events: readonly SecurityEvent[];
  readonly isPartial: boolean;
  readonly addresses: readonly Occurrence[];
  readonly accounts: readonly Occurrence[];
  readonly responses: readonly PlaybookResponse[];
}

export interface EventHistory {
  readonly event: SecurityEvent;
  readonly incidents: readonly Incident[];
  readonly responses: readonly PlaybookResponse[];
}

export interface Playbook {
  readonly id: string;
  readonly applicationId: string;
  readonly name: string;
  readonly rule: Payload;
  readonly response: Payload;
  readonly enabled: boolean;
  readonly createdAt: string;
}

export interface DryRun {
  readonly since: string;
  readonly events: number;
  readonly isPartial: boolean;
  readonly responseCount: number;
  readonly responses: readonly PlaybookResponse[];
}

export interface Feed {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly skipped: number;
  readonly updatedAtMs?: number;
  readonly ageMs?: number;
  readonly source?: string;
  readonly licence?: string;
}

export interface FeedOutcome {
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
}

export const LOOKUP_OUTCOMES = ["allow", "flag", "reject", "refused", "failed"] as const;
type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];
type LookupStep = Readonly<Record<LookupOutcome, number>> & { readonly at: string };

export interface Overview {
  readonly at: string;
  readonly applications: number;
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  readonly waitingPayloads: number;
  readonly openIncidents: number;
  readonly lookups: { readonly stepMs: number; readonly steps: readonly LookupStep[] };
  readonly feeds: readonly Feed[];
  readonly usage: { readonly databaseBytes: number; readonly freeBytes?: number };
  readonly attention: readonly {
    readonly what: string;
    readonly message: string;
    readonly applicationId: string | null;
  }[];
}

/** Why a score is what it is. */
export interface Explanation {
  readonly score: number;
  readonly signals: readonly {
    readonly name: string;
    readonly weight: number;
    readonly adds: number;
    readonly source: string;
    readonly detail?: string;
  }[];
  readonly assessment: Payload;
  readonly feeds: readonly {
    readonly name: string;
    readonly kind: string;
    readonly listed: boolean;
    readonly ageMs?: number;
  }[];
  readonly ledger: {
    readonly events: number;
    readonly highRisk: number;
    readonly isKnownAttacker: boolean;
    readonly lastEventAt: string | null;
    readonly entries: readonly {
      readonly applicationId: string;
      readonly eventId: string;
      readonly kind: string | null;
      readonly occurredAt: string;
      readonly highRisk: boolean;
    }[];
  };
  /** Rules of the operator that apply. */
  readonly rules?: readonly object[];
  /** Of an address only. */
  readonly geo?: Payload;
}

export type CountsByOutcome = Readonly<Record<Outcome, number>>;

/** A score or decision that would have another outcome. */
export interface OutcomeChange {
  readonly applicationId: string;
  readonly from: Outcome;
  readonly to: Outcome;
}

/** What other thresholds would make of recent scores and decisions. */
export interface Rehearsal {
  readonly lookups: {
    readonly keptSince: string;
    readonly lookups: number;
    readonly byDefault: CountsByOutcome;
    readonly tried: CountsByOutcome;
    readonly changed: number;
    /** By score, from 0 to 100. */
    readonly scores: { readonly ips: readonly number[]; readonly emails: readonly number[] };
    readonly examples: readonly (OutcomeChange & {
      readonly identifier: string;
      readonly score: number;
      readonly answeredAt: string;
    })[];
  };
  readonly decisions: {
    readonly decisions: number;
    readonly isPartial: boolean;
    readonly oldestDecidedAt: string | null;
    readonly ownPolicy: number;
    readonly recorded: CountsByOutcome;
    readonly tried: CountsByOutcome;
    readonly changed: number;
    readonly examples: readonly (OutcomeChange & {
      readonly id: string;
      readonly decidedAt: string;
      readonly route: string | null;
      readonly score: number | null;
      readonly signals: readonly string[];
    })[];
  };
}

export interface RuleProblem {
  readonly pointer: string;
  readonly reason: string;
  readonly line?: number;
  readonly column?: number;
}

/** What rules would make of the addresses and emails of recent events. */
export interface RulesDryRun {
  readonly since: string;
  readonly events: number;
  readonly isPartial: boolean;
  readonly addresses: number;
  readonly emails: number;
  readonly changed: number;
  readonly rules: readonly { readonly name: string; readonly holds: number }[];
  readonly examples: readonly {
    readonly identifier: string;
    readonly from: number;
    readonly to: number;
    readonly fromRule: string | null;
    readonly toRule: string | null;
  }[];
}
