import type { AccountKey, EventGeo, SecurityEvent } from "@riskgate/core/payloads";
import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";

export interface StoredEvent {
  /** Unique within the application. */
  readonly id: string;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** The payload; empty after an erasure. */
  readonly payload: JsonObject;
}

export interface RecordedEvent extends StoredEvent {
  /** Position among the events of all applications, in the order in which they were reported. */
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** A security event before its payload is built. */
export interface EventFacts {
  /** Unique within the application; generated if missing. */
  readonly id?: string | undefined;
  readonly kind: string;
  /** Category of a kind that the specification does not name; default `unknown`. */
  readonly category?: string | undefined;
  readonly occurredAt: Instant;
  readonly accountKeys: readonly AccountKey[];
  /** Accounts towards which the event counts in incidents; default the account concerned. */
  readonly accounts?: readonly string[];
  readonly ips: readonly FactIp[];
  readonly userAgents: readonly string[];
  readonly blocked: boolean;
  /** Whether it counts as an attack; the default depends on its kind. */
  readonly highRisk?: boolean | undefined;
  readonly description?: string | undefined;
  readonly risk?: number | undefined;
  /** The two logins of an account that are too far apart to travel, as the payload shows them. */
  readonly travel?: object | undefined;
}

/** An address in its normal form, with data from the application. */
export interface FactIp {
  readonly address: string;
  readonly resolvedAt?: Instant;
  readonly geo?: EventGeo | undefined;
  readonly isTor?: boolean | undefined;
}

/** A complete security event: the facts for detection, and the payload to store and deliver. */
export interface IntakeEvent extends StoredEvent {
  readonly kind: string;
  /** Distinct addresses in their normal form. */
  readonly addresses: readonly string[];
  readonly accountKeys: readonly AccountKey[];
  readonly account: string | undefined;
  /** The account in the normal form of its mailbox, by which rules compare and count. */
  readonly mailbox: string | undefined;
  /** Accounts towards which the event counts in incidents, case-folded. */
  readonly accounts: readonly string[];
  readonly mailboxes: readonly string[];
  /**
   * Identifiers towards which the event counts in the ledger, case-folded: one for each mailbox.
   */
  readonly identifiers: readonly string[];
  readonly userAgents: readonly string[];
  readonly blocked: boolean;
  readonly payload: SecurityEvent & Readonly<Record<string, unknown>>;
}
