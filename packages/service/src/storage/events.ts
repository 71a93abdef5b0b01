import type { Instant } from "./instant.js";
import type { JsonObject } from "./json-object.js";

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
  readonly applicationId: string;
  readonly receivedAt: Instant;
}

/** Which events to list; newest first. */
interface EventFilter {
  readonly applicationId?: string;
  readonly kind?: string;
  readonly since?: Instant;
  /** Default 100. */
  readonly limit?: number;
}

/** Security events as they were reported. */
export interface Events {
  /** Keep those whose id is not yet known; the ids of those that were new, in their order. */
  insertNew(applicationId: string, events: readonly StoredEvent[]): Promise<readonly string[]>;
  list(filter?: EventFilter): Promise<readonly RecordedEvent[]>;
}
