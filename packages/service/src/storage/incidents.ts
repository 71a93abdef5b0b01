import type { IncidentFilter } from "./incident-store.js";
import type { Incidents } from "./incident-store.js";
import type { RecordedIncident } from "../model/incident.js";
import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

/** Maximum number of incidents about one subject at one time: only one, unless the clock was set. */
const MAX_DURING = 10;

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
    list: (filter = {}) => listIncidents(database, filter),
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

async function listIncidents(
  database: Database,
  { applicationId, genre, open, updatedBefore, limit = 100, beforeSeq }: IncidentFilter,
): Promise<readonly RecordedIncident[]> {
  const rows = await database
    .selectFrom("incidents")
    .selectAll()
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .$if(genre !== undefined, (query) => query.where("genre", "=", genre!))
    .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
    .$if(open !== undefined, (query) => query.where("ended_at", open ? "is" : "is not", null))
    .$if(updatedBefore !== undefined, (query) => query.where("updated_at", "<", updatedBefore!))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(incidentOf);
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
