import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

/** An incident with what it needs to go on. */
export interface StoredIncident {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** What it is about; empty where it is about the whole application. */
  readonly subject: string;
  readonly startedAt: Instant;
  /** Null while it goes on. */
  readonly endedAt: Instant | null;
  readonly updatedAt: Instant;
  /** The payload as it was last delivered. */
  readonly payload: JsonObject;
  /** What the rules remember of it. */
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

/** What an incident remembers, so that it can go on after a restart. */
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

/** An incident as the rules see it. */
export interface IncidentRecord extends Omit<StoredIncident, "state"> {
  readonly state: IncidentState;
}

/** What an incident is about. */
export interface IncidentTopic {
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** Empty where it is about the whole application. */
  readonly subject: string;
}
