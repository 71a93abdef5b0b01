import type { IncidentGenre } from "@riskgate/core/payloads";
import type { Instant } from "./instant.js";
import type { JsonObject } from "./json-object.js";

export interface PlaybookSettings {
  readonly name: string;
  /** When the playbook triggers; the storage does not interpret it. */
  readonly rule: JsonObject;
  readonly response: JsonObject;
  /** Default true. */
  readonly enabled: boolean;
}

export interface StoredPlaybook extends PlaybookSettings {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly createdAt: Instant;
}

export interface StoredResponse {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly playbookId: string;
  /** The subject of the response, in the format used by the playbook. */
  readonly subject: string;
  readonly createdAt: Instant;
  readonly endsAt: Instant;
  readonly payload: JsonObject;
}

/** Subjects by which the events of a rule are counted. */
export const COUNTED_BY = ["address", "account", "application"] as const;

type CountedBy = (typeof COUNTED_BY)[number];

/** When a playbook triggers: on events, on incidents, or on the score of an account. */
export type PlaybookRule = EventRule | IncidentRule | ScoreRule;

/** Triggers on a number of events of some kinds within a window, by address, by account or in total. */
export interface EventRule {
  readonly kinds: readonly string[];
  /** Default 1. */
  readonly count: number;
  /** Default 600,000. */
  readonly windowMs: number;
  /** Default "address". */
  readonly per: CountedBy;
}

/** Triggers on an incident of some genres that begins or continues, with a minimum number of events. */
export interface IncidentRule {
  readonly genres: readonly IncidentGenre[];
  /** Default 1. */
  readonly count: number;
}

/** Triggers on an event of an account whose score is above a threshold. */
export interface ScoreRule {
  readonly accountScoreAbove: number;
}

export const NAMED_ACCOUNTS = ["acting", "all", "none"] as const;

type NamedAccounts = (typeof NAMED_ACCOUNTS)[number];

export interface PlaybookResponse {
  /** How long the response applies; 1 second to 30 days, default 1 hour. */
  readonly durationMs: number;
  readonly addresses: boolean;
  /**
   * The accounts to name: those that take part in an attack, all accounts concerned, or none; default
   * "acting". With "all", an attack on an account blocks that account.
   */
  readonly accounts: NamedAccounts;
  /** Number of leading bits of IPv6 addresses to name, 64 or 128; default 64. */
  readonly ipv6Prefix: 64 | 128;
  /** True to name addresses in private networks too; default false. */
  readonly internalAddresses: boolean;
}

/** A playbook with all defaults filled in. */
export interface Playbook {
  readonly name: string;
  readonly rule: PlaybookRule;
  readonly response: PlaybookResponse;
  readonly enabled: boolean;
}

export type LoadedPlaybook = Playbook & Pick<StoredPlaybook, "id">;
