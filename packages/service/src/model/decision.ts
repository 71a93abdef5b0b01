import type { JsonObject } from "./json-object.js";
import type { Instant } from "./instant.js";
import type { Label } from "./label.js";

/** A gate's decision, as logged by an application. */
export interface LoggedDecision {
  /** Unique within the application. */
  readonly id: string;
  readonly decidedAt: Instant;
  /** The decision record, without plain addresses; see `docs/rehearsal.md`. */
  readonly record: JsonObject;
}

export interface RecordedDecision extends LoggedDecision {
  readonly seq: number;
  readonly applicationId: string;
  readonly receivedAt: Instant;
  /** Label of the decision itself, not of its account. */
  readonly label: Label | null;
}
