import type { Instant } from "./instant.js";
import type { Label } from "./label.js";

export type LabelledType = "decision" | "account";

/** A label for a decision or for an account. */
export interface StoredLabel {
  readonly about: LabelledType;
  /** Id of the decision, or the mailbox or identifier of the account. */
  readonly target: string;
  /** Digest of the account in decision logs; null for a decision, or if it is unknown. */
  readonly digest: string | null;
  readonly label: Label;
  /** When it became known; the latest label counts. */
  readonly labelledAt: Instant;
}

export interface RecordedLabel extends StoredLabel {
  readonly applicationId: string;
}
