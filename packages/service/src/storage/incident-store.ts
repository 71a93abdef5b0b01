import type { StoredResponse, PlaybookSettings, StoredPlaybook } from "../model/playbook.js";
import type { StoredIncident, RecordedIncident } from "../model/incident.js";
import type { Instant } from "../model/instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

/** Selects the incidents to list, newest first. */
export interface IncidentFilter {
  readonly applicationId?: string;
  readonly genre?: IncidentGenre;
  /** Only open (true) or ended (false) incidents. */
  readonly open?: boolean;
  /** Only incidents that have not changed since then. */
  readonly updatedBefore?: Instant;
  /** Default 100. */
  readonly limit?: number;
  /** Only incidents that began before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** Selects the incidents to which an event may belong. */
interface IncidentTime extends Pick<StoredIncident, "applicationId" | "genre" | "subject"> {
  /** When the event occurred. */
  readonly at: Instant;
}

/** Incidents; at most one is open for each application, genre and subject. */
export interface Incidents {
  findOpen(
    applicationId: string,
    genre: IncidentGenre,
    subject: string,
  ): Promise<StoredIncident | undefined>;
  /** Inserts an incident, or replaces the one with the same id. */
  save(incident: StoredIncident): Promise<void>;
  get(id: string): Promise<RecordedIncident | undefined>;
  list(filter?: IncidentFilter): Promise<readonly RecordedIncident[]>;
  /** Returns the incidents about a subject that were open at a given time, newest first. */
  during(time: IncidentTime): Promise<readonly RecordedIncident[]>;
  countOpen(): Promise<number>;
}

export interface PlaybookResponses {
  recordResponse(response: StoredResponse): Promise<void>;
  /** Lists responses, newest first. */
  responses(
    applicationId: string,
    limit: number,
    time?: ResponseTime,
  ): Promise<readonly StoredResponse[]>;
}

/** A period in which responses were sent, both ends included. */
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
  /** Lists the playbooks of one application or of all, oldest first. */
  list(applicationId?: string): Promise<readonly StoredPlaybook[]>;
  get(id: string): Promise<StoredPlaybook | undefined>;
  update(id: string, changes: Partial<PlaybookSettings>): Promise<StoredPlaybook | undefined>;
  delete(id: string): Promise<boolean>;
}
