import type { IncidentGenre } from "@riskgate/core/payloads";
import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Instant } from "../model/instant.js";
import type { JsonObject, Schema } from "./schema.js";

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

/** An incident in the record. */
export interface RecordedIncident extends StoredIncident {
  /** Position among the incidents of all applications; the order in which they began. */
  readonly seq: number;
}

/** Which incidents to list; newest first. */
interface IncidentFilter {
  readonly applicationId?: string;
  readonly genre?: IncidentGenre;
  /** Only those that go on (true) or have ended (false). */
  readonly open?: boolean;
  /** Only those with no change since then. */
  readonly updatedBefore?: Instant;
  /** Default 100. */
  readonly limit?: number;
  /** Only those that began before this one, for the next page. */
  readonly beforeSeq?: number;
}

/** What one event may belong to. */
interface IncidentTime extends Pick<StoredIncident, "applicationId" | "genre" | "subject"> {
  /** When the event occurred. */
  readonly at: Instant;
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
  get(id: string): Promise<RecordedIncident | undefined>;
  list(filter?: IncidentFilter): Promise<readonly RecordedIncident[]>;
  /** Those about a subject that went on at some moment, newest first. */
  during(time: IncidentTime): Promise<readonly RecordedIncident[]>;
  /** How many go on. */
  countOpen(): Promise<number>;
}

/** Incidents about one subject that went on at the same moment: one, unless the clock was set. */
const MAX_DURING = 10;

/** Creates the incidents in a database. */
export function createIncidents(database: Database): Incidents {
  return {
    async findOpen(applicationId, genre, subject) {
      const row = await database
        .selectFrom("incidents")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("genre", "=", genre)
        .where("subject", "=", subject)
        .where("ended_at", "is", null)
        .orderBy("seq", "desc")
        .executeTakeFirst();
      return row && incidentOf(row);
    },
    async save(incident) {
      const changing = {
        started_at: incident.startedAt,
        ended_at: incident.endedAt,
        updated_at: incident.updatedAt,
        payload_json: JSON.stringify(incident.payload),
        state_json: JSON.stringify(incident.state),
      };
      await database
        .insertInto("incidents")
        .values({
          id: incident.id,
          application_id: incident.applicationId,
          genre: incident.genre,
          subject: incident.subject,
          ...changing,
        })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(changing))
        .execute();
    },
    async get(id) {
      const row = await database
        .selectFrom("incidents")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row && incidentOf(row);
    },
    async list({ applicationId, genre, open, updatedBefore, limit = 100, beforeSeq } = {}) {
      const rows = await database
        .selectFrom("incidents")
        .selectAll()
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .$if(genre !== undefined, (query) => query.where("genre", "=", genre!))
        .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
        .$if(open !== undefined, (query) => query.where("ended_at", open ? "is" : "is not", null))
        .$if(updatedBefore !== undefined, (query) => query.where("updated_at", "<", updatedBefore!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(incidentOf);
    },
    async during({ applicationId, genre, subject, at }) {
      const rows = await database
        .selectFrom("incidents")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where("genre", "=", genre)
        .where("subject", "=", subject)
        .where("started_at", "<=", at)
        .where((where) => where.or([where("ended_at", "is", null), where("ended_at", ">=", at)]))
        .orderBy("seq", "desc")
        .limit(MAX_DURING)
        .execute();
      return rows.map(incidentOf);
    },
    async countOpen() {
      const { count } = await database
        .selectFrom("incidents")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("ended_at", "is", null)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

function incidentOf(row: Selectable<Schema["incidents"]>): RecordedIncident {
  return {
    seq: row.seq,
    id: row.id,
    applicationId: row.application_id,
    genre: row.genre,
    subject: row.subject,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    updatedAt: row.updated_at,
    payload: JSON.parse(row.payload_json) as JsonObject,
    state: JSON.parse(row.state_json) as JsonObject,
  };
}
