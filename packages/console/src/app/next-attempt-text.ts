import type { Delivery } from "@riskgate/api-types";
import { shownDuration } from "./shown-value.js";

type Planned = Pick<Delivery, "state" | "nextAttemptAt">;

/** When a delivery is sent next; empty if it is not. */
export function nextAttemptText({ state, nextAttemptAt }: Planned, nowMs: number): string {
  if (state !== "pending") return "";
  const leftMs = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - nowMs;
  return leftMs < 1_000 ? "now" : `in ${shownDuration(leftMs)}`;
}
