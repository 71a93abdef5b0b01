import type { IncidentGenre } from "@riskgate/core";
import type { Instant } from "./instant.js";
import type { JsonObject } from "./json-object.js";

/** An incident with what it needs to go on. */
export interface StoredIncident {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly genre: IncidentGenre;
  /** What it is about; empty where it is about the whole application. */
  readonly subject: string;
  readonly startedAt: Instant;
  /** Null while it goes on. */
  readonly endedAt: Instant | null;
  readonly updatedAt: Instant;
  /** The payload as it was last delivered. */
  readonly payload: JsonObject;
  /** What the rules remember of it. */
  readonly state: JsonObject;
}

/** Which incidents to list; newest first. */
interface IncidentFilter {
  readonly applicationId?: string;
  /** Only those that go on (true) or have ended (false). */
  readonly open?: boolean;
  /** Only those with no change since then. */
  readonly updatedBefore?: Instant;
  /** Default 100. */
  readonly limit?: number;
}

/** Incidents, of which one at most goes on by application, genre and subject. */
export interface Incidents {
  findOpen(
    applicationId: string,
    genre: IncidentGenre,
    subject: string,
  ): Promise<StoredIncident | undefined>;
  /** Insert it, or replace the one with its id. */
  save(incident: StoredIncident): Promise<void>;
  get(id: string): Promise<StoredIncident | undefined>;
  list(filter?: IncidentFilter): Promise<readonly StoredIncident[]>;
}
