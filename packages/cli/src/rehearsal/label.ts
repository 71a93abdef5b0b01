import type { Label } from "@riskgate/core/internal";
import type { DecisionRecord } from "@riskgate/core/log";

export interface Labels {
  readonly size: number;
  /** Returns the label of a decision, or else that of its identifiers. */
  of(record: DecisionRecord): Label | undefined;
}
