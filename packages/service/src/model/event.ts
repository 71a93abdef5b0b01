import type { AccountKey, EventGeo, SecurityEvent } from "@riskgate/core/payloads";
import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";

/** A security event that an application reported. */
export interface StoredEvent {
  /** Unique within the application. */
  readonly id: string;
  readonly kind: string;
  readonly category: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** Empty once it was erased. */
  readonly payload: JsonObject;
}

/** A security event in the record. */
export interface RecordedEvent extends StoredEvent {
  /** Position among the events of all applications; the order in which they were reported. */
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** A security event before it gets its payload. */
export interface EventFacts {
  /** Unique within the application; generated if missing. */
  readonly id?: string | undefined;
  /** One of the specification, or another. */
  readonly kind: string;
  /** Of a kind that the specification does not name; default `unknown`. */
  readonly category?: string | undefined;
  readonly occurredAt: Instant;
  /** Keys of the one account concerned. */
  readonly accountKeys: readonly AccountKey[];
  /** Accounts that it counts for in incidents; default the one concerned. */
  readonly accounts?: readonly string[];
  readonly ips: readonly FactIp[];
  readonly userAgents: readonly string[];
  readonly blocked: boolean;
  readonly description?: string | undefined;
  readonly risk?: number | undefined;
}

/** An address in its normal form, with the knowledge of the application. */
export interface FactIp {
  readonly address: string;
  readonly resolvedAt?: Instant;
  readonly geo?: EventGeo | undefined;
  readonly isTor?: boolean | undefined;
}

/** A security event that is whole: what rules read, and the payload to store and deliver. */
export interface IntakeEvent extends StoredEvent {
  readonly kind: string;
  /** Different ones, in their normal form. */
  readonly addresses: readonly string[];
  readonly accountKeys: readonly AccountKey[];
  /** The one account concerned: its email, or else its first key, folded. */
  readonly account: string | undefined;
  /** The same in the normal form of its mailbox: what rules compare and count by. */
  readonly mailbox: string | undefined;
  /** Accounts that it counts for in incidents, folded. */
  readonly accounts: readonly string[];
  /** The same in the normal form of their mailboxes. */
  readonly mailboxes: readonly string[];
  /** Identifiers that it counts for in the ledger, folded: one of each mailbox. */
  readonly identifiers: readonly string[];
  readonly userAgents: readonly string[];
  readonly blocked: boolean;
  readonly payload: SecurityEvent & Readonly<Record<string, unknown>>;
}
