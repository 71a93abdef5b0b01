import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

/** An incident, with the state needed to continue it. */
export interface StoredIncident {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** Account that the incident concerns; empty for the whole application. */
  readonly subject: string;
  readonly startedAt: Instant;
  /** End of the incident; null while it is open. */
  readonly endedAt: Instant | null;
  readonly updatedAt: Instant;
  /** The payload as last delivered. */
  readonly payload: JsonObject;
  readonly state: JsonObject;
}

export interface RecordedIncident extends StoredIncident {
  /** Position among the incidents of all applications, in the order in which they began. */
  readonly seq: number;
}

/**
 * A count of distinct texts in bounded space, without storing the texts: the smallest hashes in
 * ascending order. Exact up to {@link KEPT} texts; larger counts are estimated from the density of the
 * hashes, within about 3 %.
 */
export type Distinct = readonly number[];

/** A comment of an operator, or the end that an operator set. */
export interface IncidentComment {
  readonly at: Instant;
  readonly action: "comment" | "close";
  /** Empty if an operator closed the incident without a comment. */
  readonly text: string;
}

/** Totals of an incident, with which it continues after a restart. */
export interface IncidentState {
  readonly events: number;
  readonly lastAt: Instant;
  /** When the incident was last delivered. */
  readonly publishedAt: Instant;
  readonly blocked: boolean;
  readonly addresses: Distinct;
  readonly accounts: Distinct;
  readonly userAgents: Distinct;
  readonly accountNames: readonly string[];
  readonly placeNames: readonly string[];
  /** Oldest first. */
  readonly comments?: readonly IncidentComment[];
}

export interface IncidentRecord extends Omit<StoredIncident, "state"> {
  readonly state: IncidentState;
}

export interface IncidentTopic {
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  readonly subject: string;
}
