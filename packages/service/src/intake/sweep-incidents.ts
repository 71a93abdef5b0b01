import type { DetectionContext } from "../detection/detect.js";
import { publishIncident, sweepIncident } from "../detection/incidents/track-incidents.js";
import type { Storage } from "../storage/storage.js";
import { incidentRecordOf } from "./open-incidents.js";
import { queuePayloads } from "./queue-payloads.js";

/** Maximum number of incidents that one sweep reads, and maximum number of quiet ones. */
const MAX_SWEPT = 1000;

const MICROS_PER_MS = 1000;

/**
 * Ends quiet incidents, and queues the payloads of incidents with unpublished changes.
 *
 * @returns Ids of the applications that have new payloads.
 */
export function sweepIncidents(
  storage: Storage,
  context: Omit<DetectionContext, "application">,
): Promise<ReadonlySet<string>> {
  const updatedBefore = context.now - context.settings.incidents.quietMs * MICROS_PER_MS;
  return storage.transaction(async (inner) => {
    const filter = { open: true, limit: MAX_SWEPT };
    const quiet = await inner.incidents.list({ ...filter, updatedBefore });
    const open = await inner.incidents.list(filter);
    const queued = new Set<string>();
    for (const stored of new Map([...quiet, ...open].map((one) => [one.id, one])).values()) {
      const swept = sweepIncident(incidentRecordOf(stored), context);
      const application = swept && (await inner.applications.get(stored.applicationId));
      if (!application) continue;
      const { incident, payload } = publishIncident(swept, [], { ...context, application });
      await inner.incidents.save({ ...incident, state: { ...incident.state } });
      if (await queuePayloads(inner, application, [payload!])) queued.add(application.id);
    }
    return queued;
  });
}
