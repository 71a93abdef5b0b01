import type { ReactNode } from "react";
import { Badge } from "./badge.js";

/** The risk of an event, in the colours of severities. */
export function RiskBadge({ isHigh }: { readonly isHigh: boolean }): ReactNode {
  return isHigh ? <Badge tone="bad">high</Badge> : <Badge tone="dim">ordinary</Badge>;
}
