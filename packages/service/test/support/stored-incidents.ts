import { EMPTY_INCIDENT } from "../../src/detection/incidents/incident.js";
import type { IncidentState, StoredIncident } from "../../src/model/incident.js";
import type { Instant } from "../../src/model/instant.js";

/** Returns open incidents about different accounts, whose last event was at a time. */
export function openIncidents(
  applicationId: string,
  count: number,
  at: Instant,
): readonly StoredIncident[] {
  return Array.from({ length: count }, (_, index) => {
    const subject = `user-${index}@shop.example`;
    const state: IncidentState = {
      ...EMPTY_INCIDENT,
      events: 5,
      lastAt: at,
      publishedAt: at,
      accountNames: [subject],
    };
    return {
      id: index.toString(16).padStart(32, "0"),
      applicationId,
      genre: "account_takeover",
      subject,
      startedAt: at,
      endedAt: null,
      updatedAt: at,
      payload: {},
      state: { ...state },
    };
  });
}
