import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

/** An incident with the state that continues it. */
export interface StoredIncident {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** Account that it is about; empty for the whole application. */
  readonly subject: string;
  readonly startedAt: Instant;
  /** Null while it is open. */
  readonly endedAt: Instant | null;
  readonly updatedAt: Instant;
  /** The payload as it was last delivered. */
  readonly payload: JsonObject;
  /** State that detection keeps. */
  readonly state: JsonObject;
}

/** An incident in the record. */
export interface RecordedIncident extends StoredIncident {
  /** Position among the incidents of all applications; the order in which they began. */
  readonly seq: number;
}

/**
 * How many different texts were seen, in bounded space and without keeping the texts: the smallest
 * hashes, in rising order. Exact up to {@link KEPT} texts; beyond, estimated from how densely the
 * hashes lie, within about 3 %.
 */
export type Distinct = readonly number[];

/** Sums of an incident, so that it can continue after a restart. */
export interface IncidentState {
  readonly events: number;
  readonly lastAt: Instant;
  /** When it was last delivered. */
  readonly publishedAt: Instant;
  readonly blocked: boolean;
  readonly addresses: Distinct;
  readonly accounts: Distinct;
  readonly userAgents: Distinct;
  readonly accountNames: readonly string[];
  readonly placeNames: readonly string[];
}

/** An incident as detection sees it. */
export interface IncidentRecord extends Omit<StoredIncident, "state"> {
  readonly state: IncidentState;
}

/** Topic of an incident. */
export interface IncidentTopic {
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** Empty for the whole application. */
  readonly subject: string;
}
