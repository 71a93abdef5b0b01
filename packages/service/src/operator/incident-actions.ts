import { RiskGateError } from "@riskgate/core";
import { endIncident } from "../detection/incidents/incident.js";
import { publishIncident } from "../detection/incidents/track-incidents.js";
import type { DetectionSettings } from "../detection/detection-settings.js";
import { incidentRecordOf } from "../intake/application-state.js";
import type { IncidentComment, IncidentRecord, RecordedIncident } from "../model/incident.js";
import type { Clock } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { sendPayload } from "./send-payload.js";

export interface IncidentActionParts {
  readonly storage: Storage;
  readonly settings: DetectionSettings;
  readonly dashboardUrl: () => string;
  readonly clock: Clock;
  /** Called when payloads wait for delivery. */
  readonly onQueued: () => void;
}

/** Changes of an incident by an operator; undefined for an unknown incident. */
export interface IncidentActions {
  /** Rejects with INVALID_ARGUMENT if the incident has the maximum number of comments. */
  comment(id: string, text: string): Promise<RecordedIncident | undefined>;
  /**
   * Ends an open incident and queues its last payload; changes nothing if it has ended. Further events
   * count towards a new incident.
   */
  close(id: string, text: string | undefined): Promise<RecordedIncident | undefined>;
}

const MAX_COMMENTS = 100;

export function createIncidentActions(parts: IncidentActionParts): IncidentActions {
  const { storage, settings, dashboardUrl, clock, onQueued } = parts;

  const change = (
    id: string,
    work: (within: Storage, incident: IncidentRecord) => Promise<IncidentRecord | undefined>,
  ): Promise<RecordedIncident | undefined> =>
    storage.transaction(async (within) => {
      // The owner of the application holds its open incidents in memory, and must read them again.
      await within.outdateDetection();
      const found = await within.incidents.get(id);
      if (!found) return undefined;
      const changed = await work(within, incidentRecordOf(found));
      if (!changed) return found;
      await within.incidents.save([{ ...changed, state: { ...changed.state } }]);
      return { ...found, ...changed, state: { ...changed.state } };
    });

  return {
    comment: (id, text) =>
      change(id, async (_, incident) =>
        withComment(incident, { at: clock(), action: "comment", text }),
      ),
    async close(id, text = "") {
      let isQueued = false;
      const closed = await change(id, async (within, incident) => {
        if (incident.endedAt !== null) return undefined;
        const now = clock();
        const noted = withComment(incident, { at: now, action: "close", text });
        const ended = endIncident(noted, now);
        const application = await within.applications.get(incident.applicationId);
        if (!application) return ended;
        const context = { application, now, settings, dashboardUrl: dashboardUrl() };
        const published = publishIncident(ended, [], context);
        isQueued = await sendPayload(within, application, published.payload!);
        return published.incident;
      });
      if (isQueued) onQueued();
      return closed;
    },
  };
}

/** Returns the comments of an incident, oldest first. */
export function commentsOf(incident: RecordedIncident): readonly IncidentComment[] {
  return incidentRecordOf(incident).state.comments ?? [];
}

function withComment(incident: IncidentRecord, comment: IncidentComment): IncidentRecord {
  const { comments = [] } = incident.state;
  if (comments.length >= MAX_COMMENTS) {
    throw new RiskGateError("INVALID_ARGUMENT", `the incident has ${MAX_COMMENTS} comments`, {
      hint: "Continue in your issue tracker, and link it in a comment of the next incident",
    });
  }
  return { ...incident, state: { ...incident.state, comments: [...comments, comment] } };
}
