import { isRiskGateError } from "@riskgate/core";
import { composeEvent, type EventContext } from "../detection/events/event.js";
import type { IntakeEvent } from "../model/event.js";
import { readEvent } from "../detection/events/read-event.js";
import type { RecordedEvent } from "../model/event.js";
import type { Clock, Instant } from "../model/instant.js";
import type { PendingScoring } from "../storage/event-store.js";
import type { Storage } from "../storage/storage.js";

/** Accepted events whose scoring a process did not finish. */
export interface PendingEvents {
  /** `seq` of the pending scoring. */
  readonly seq: number;
  readonly applicationId: string;
  /** The events in the order in which they were reported, except those erased since. */
  readonly events: readonly IntakeEvent[];
}

/** Context for a stored event, which already contains the locations of its addresses. */
export type RestoreContext = Omit<EventContext, "locate">;

export async function readPendingEvents(
  storage: Storage,
  pendingScorings: readonly PendingScoring[],
  context: Omit<RestoreContext, "application">,
  clock: Clock,
): Promise<readonly PendingEvents[]> {
  const owed: PendingEvents[] = [];
  for (const { seq, applicationId, eventIds } of pendingScorings) {
    const application = await storage.applications.get(applicationId);
    const recorded = application ? await storage.events.withIds(applicationId, eventIds) : [];
    const events = recorded.flatMap(
      (event) => restoreEvent(event, { ...context, application: application! }, clock()) ?? [],
    );
    owed.push({ seq, applicationId, events });
  }
  return owed;
}

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
