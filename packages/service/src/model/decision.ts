import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";

/** A decision of a gate, as an application logged it. */
export interface LoggedDecision {
  /** Unique within the application. */
  readonly id: string;
  readonly decidedAt: Instant;
  /** Without plain addresses; see `docs/rehearsal.md`. */
  readonly record: JsonObject;
}

/** A decision on record. */
export interface RecordedDecision extends LoggedDecision {
  /** Position in the list: a page begins before the last one of the page before. */
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
}
