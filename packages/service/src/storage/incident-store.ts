import type { StoredResponse, PlaybookSettings, StoredPlaybook } from "../model/playbook.js";
import type { StoredIncident, RecordedIncident } from "../model/incident.js";
import type { Instant } from "../model/instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

/** Which incidents to list; newest first. */
export interface IncidentFilter {
  readonly applicationId?: string;
  readonly genre?: IncidentGenre;
  /** Only open (true) or ended (false) incidents. */
  readonly open?: boolean;
  /** Only those with no change since then. */
  readonly updatedBefore?: Instant;
  /** Default 100. */
  readonly limit?: number;
  /** Only incidents that began before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Incidents to which one event may belong. */
interface IncidentTime extends Pick<StoredIncident, "applicationId" | "genre" | "subject"> {
  /** When the event occurred. */
  readonly at: Instant;
}

/** Incidents, of which at most one is open by application, genre and subject. */
export interface Incidents {
  findOpen(
    applicationId: string,
    genre: IncidentGenre,
    subject: string,
  ): Promise<StoredIncident | undefined>;
  /** Insert it, or replace the one with its id. */
  save(incident: StoredIncident): Promise<void>;
  get(id: string): Promise<RecordedIncident | undefined>;
  list(filter?: IncidentFilter): Promise<readonly RecordedIncident[]>;
  /** Those about a subject that were open at an instant, newest first. */
  during(time: IncidentTime): Promise<readonly RecordedIncident[]>;
  /** Number of open incidents. */
  countOpen(): Promise<number>;
}

/** The responses that playbooks sent. */
export interface PlaybookResponses {
  recordResponse(response: StoredResponse): Promise<void>;
  /** Newest first. */
  responses(
    applicationId: string,
    limit: number,
    time?: ResponseTime,
  ): Promise<readonly StoredResponse[]>;
}

/** When responses were sent; both ends are included. */
interface ResponseTime {
  readonly since?: Instant;
  readonly until?: Instant;
}

/** Playbooks with the responses they sent. */
export interface Playbooks extends PlaybookResponses {
  create(
    applicationId: string,
    playbook: Omit<PlaybookSettings, "enabled"> & Partial<PlaybookSettings>,
  ): Promise<StoredPlaybook>;
  /** Of one application, or of all; oldest first. */
  list(applicationId?: string): Promise<readonly StoredPlaybook[]>;
  get(id: string): Promise<StoredPlaybook | undefined>;
  update(id: string, changes: Partial<PlaybookSettings>): Promise<StoredPlaybook | undefined>;
  delete(id: string): Promise<boolean>;
}
