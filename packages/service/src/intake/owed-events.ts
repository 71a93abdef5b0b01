import type { IntakeEvent } from "../events/event.js";
import type { Clock } from "../storage/instant.js";
import type { Storage } from "../storage/storage.js";
import { type RestoreContext, restoreEvent } from "./restore-rules.js";

/** Accepted events that the end of a process kept from being judged by score. */
export interface OwedEvents {
  /** The `seq` of the judgement. */
  readonly seq: number;
  readonly applicationId: string;
  /** In the order in which they were reported; without those that were erased since. */
  readonly events: readonly IntakeEvent[];
}

/** Reads what is still to be judged, oldest first. */
export async function readOwedEvents(
  storage: Storage,
  context: Omit<RestoreContext, "application">,
  clock: Clock,
): Promise<readonly OwedEvents[]> {
  const owed: OwedEvents[] = [];
  for (const { seq, applicationId, eventIds } of await storage.judgements.list()) {
    const application = await storage.applications.get(applicationId);
    if (!application) continue;
    const recorded = await storage.events.withIds(applicationId, eventIds);
    const events = recorded.flatMap(
      (event) => restoreEvent(event, { ...context, application }, clock()) ?? [],
    );
    owed.push({ seq, applicationId, events });
  }
  return owed;
}
