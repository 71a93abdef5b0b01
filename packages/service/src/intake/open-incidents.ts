import {
  type OpenIncidents,
  type Topic,
  topicKey,
} from "../detection/incidents/track-incidents.js";
import type { IncidentRecord, IncidentState, StoredIncident } from "../model/incident.js";
import type { Storage } from "../storage/storage.js";

export async function readOpenIncidents(
  { incidents }: Pick<Storage, "incidents">,
  applicationId: string,
  topics: readonly Topic[],
): Promise<OpenIncidents> {
  const open = new Map<string, IncidentRecord>();
  for (const [key, { genre, subject }] of new Map(topics.map((one) => [topicKey(one), one]))) {
    const found = await incidents.findOpen(applicationId, genre, subject);
    if (found) open.set(key, incidentRecordOf(found));
  }
  return open;
}

/** Adds the type to the state of a stored incident, which only this service writes. */
export function incidentRecordOf(stored: StoredIncident): IncidentRecord {
  return { ...stored, state: stored.state as unknown as IncidentState };
}
