import type { StoredResponse, PlaybookSettings, StoredPlaybook } from "../model/playbook.js";
import type { StoredIncident, RecordedIncident } from "../model/incident.js";
import type { Instant } from "../model/instant.js";
import type { IncidentGenre } from "@riskgate/core/payloads";

export interface IncidentFilter {
  readonly applicationId?: string;
  readonly genre?: IncidentGenre;
  readonly open?: boolean;
  /** Only incidents that were open at some time in the period. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Only incidents that have not changed since then. */
  readonly updatedBefore?: Instant;
  readonly limit?: number;
  /** Only incidents that began before this one, for the next page. */
  readonly beforeSeq?: number;
}

interface IncidentTime extends Pick<StoredIncident, "applicationId" | "genre" | "subject"> {
  readonly at: Instant;
}

/** Incidents; at most one is open for each application, genre and subject. */
export interface Incidents {
  applicationsWithOpen(): Promise<readonly string[]>;
  save(incidents: readonly StoredIncident[]): Promise<void>;
  get(id: string): Promise<RecordedIncident | undefined>;
  list(filter?: IncidentFilter): Promise<readonly RecordedIncident[]>;
  /** Returns the incidents about a subject that were open at a given time, newest first. */
  during(time: IncidentTime): Promise<readonly RecordedIncident[]>;
  countOpen(): Promise<number>;
}

export interface PlaybookResponses {
  recordResponse(response: StoredResponse): Promise<void>;
  responses(
    applicationId: string,
    limit: number,
    time?: ResponseTime,
  ): Promise<readonly StoredResponse[]>;
  /** Returns the responses that end after a time, newest first. */
  responsesInEffect(after: Instant, applicationId?: string): Promise<readonly StoredResponse[]>;
  /** Returns the `seq` of the newest response of any application; 0 without one. */
  lastResponse(): Promise<number>;
  /** Returns an application's responses after one `seq` and up to another, oldest first. */
  responsesBetween(
    applicationId: string,
    after: number,
    last: number,
    limit: number,
  ): Promise<readonly { readonly seq: number; readonly response: StoredResponse }[]>;
}

interface ResponseTime {
  readonly since?: Instant;
  readonly until?: Instant;
}

export interface Playbooks extends PlaybookResponses {
  create(
    applicationId: string,
    playbook: Omit<PlaybookSettings, "enabled"> & Partial<PlaybookSettings>,
  ): Promise<StoredPlaybook>;
  list(applicationId?: string): Promise<readonly StoredPlaybook[]>;
  get(id: string): Promise<StoredPlaybook | undefined>;
  update(id: string, changes: Partial<PlaybookSettings>): Promise<StoredPlaybook | undefined>;
  delete(id: string): Promise<boolean>;
}
