import type { IncidentGenre } from "@riskgate/core/payloads";
import type { Instant } from "./instant.js";
import type { JsonObject } from "./json-object.js";

/** Settings of a playbook. */
export interface PlaybookSettings {
  readonly name: string;
  /** When it triggers; the storage does not know its form. */
  readonly rule: JsonObject;
  /** The response that it sends. */
  readonly response: JsonObject;
  /** Default true. */
  readonly enabled: boolean;
}

/** A rule with its response. */
export interface StoredPlaybook extends PlaybookSettings {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly createdAt: Instant;
}

/** A response that a playbook sent. */
export interface StoredResponse {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly playbookId: string;
  /** Whom it is about, in the playbook's own terms. */
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

/** So many events of some kinds within a window, by address, by account or altogether. */
export interface EventRule {
  readonly kinds: readonly string[];
  /** Default 1. */
  readonly count: number;
  /** Default 600,000. */
  readonly windowMs: number;
  /** Default "address". */
  readonly per: CountedBy;
}

/** An incident of some genres that begins or continues, with so many events. */
export interface IncidentRule {
  readonly genres: readonly IncidentGenre[];
  /** Default 1. */
  readonly count: number;
}

/** An event of an account whose score is above a threshold. */
export interface ScoreRule {
  readonly accountScoreAbove: number;
}

/** Which accounts a response names. */
export const NAMED_ACCOUNTS = ["acting", "all", "none"] as const;

type NamedAccounts = (typeof NAMED_ACCOUNTS)[number];

/** The response of a playbook: what it asks receivers to do. */
export interface PlaybookResponse {
  /** How long; 1 second to 30 days, default 1 hour. */
  readonly durationMs: number;
  /** Name the addresses; default true. */
  readonly addresses: boolean;
  /**
   * Name the accounts that take part in an attack, all accounts concerned, or none; default
   * "acting". With "all", an attack on an account blocks that account.
   */
  readonly accounts: NamedAccounts;
  /** Leading bits of an IPv6 address that are named, 64 or 128; default 64. */
  readonly ipv6Prefix: 64 | 128;
  /** Name addresses of private networks too; default false. */
  readonly internalAddresses: boolean;
}

/** A playbook with its defaults filled in. */
export interface Playbook {
  readonly name: string;
  readonly rule: PlaybookRule;
  readonly response: PlaybookResponse;
  readonly enabled: boolean;
}

/** A stored playbook as it was read. */
export type LoadedPlaybook = Playbook & Pick<StoredPlaybook, "id">;
