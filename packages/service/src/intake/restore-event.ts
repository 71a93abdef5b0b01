import { isRiskGateError } from "@riskgate/core";
import { composeEvent, type EventContext } from "../detection/events/event.js";
import type { IntakeEvent } from "../model/event.js";
import { readEvent } from "../detection/events/read-event.js";
import type { RecordedEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";

/** Context for a stored event, which already contains the locations of its addresses. */
type RestoreContext = Omit<EventContext, "locate">;

const locate: EventContext["locate"] = () => ({ geo: {}, isTor: false });

/**
 * Reads a stored event like a reported one; undefined if it was erased. The clock may have been set
 * back since it was stored.
 */
export function restoreEvent(
  { id, occurredAt, highRisk, payload, receivedAt }: RecordedEvent,
  context: RestoreContext,
  now: Instant,
): IntakeEvent | undefined {
  try {
    const facts = { ...readEvent(payload, Math.max(now, receivedAt)), id, occurredAt, highRisk };
    return composeEvent(facts, { ...context, locate });
  } catch (error) {
    if (isRiskGateError(error)) return undefined;
    throw error;
  }
}
