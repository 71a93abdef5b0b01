import type { IncidentFilter } from "./incident-store.js";
import type { Incidents } from "./incident-store.js";
import type { RecordedIncident } from "../model/incident.js";
import { type Selectable, sql } from "kysely";
import { type Database, storedText } from "./database.js";
import { inChunks, rowsOf } from "./lists.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

/** Maximum number of incidents about one subject at one time: only one, unless the clock was set. */
const MAX_DURING = 10;

export function createIncidents(database: Database): Incidents {
  return {
    async applicationsWithOpen() {
      const rows = await database
        .selectFrom("incidents")
        .select("application_id")
        .distinct()
        .where("ended_at", "is", null)
        .execute();
      return rows.map((row) => row.application_id);
    },
    async save(incidents) {
      for (const chunk of inChunks(incidents)) {
        // One statement: an attack on many accounts changes as many incidents at once.
        const rows = chunk.map((one) => [
          one.id,
          one.genre,
          storedText(one.subject),
          one.startedAt,
          one.endedAt,
          one.updatedAt,
          JSON.stringify(one.payload),
          JSON.stringify(one.state),
          one.applicationId,
        ]);
        await sql`
          insert into incidents (
            id, genre, subject, started_at, ended_at, updated_at, payload_json, state_json,
            application_id
          )
          select
            value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as bigint),
            cast(value ->> 4 as bigint), cast(value ->> 5 as bigint), value ->> 6, value ->> 7,
            value ->> 8
          from ${rowsOf(database, rows)} where true
          on conflict (id) do update set
            started_at = excluded.started_at,
            ended_at = excluded.ended_at,
            updated_at = excluded.updated_at,
            payload_json = excluded.payload_json,
            state_json = excluded.state_json
        `.execute(database);
      }
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
  {
    applicationId,
    genre,
    open,
    since,
    until,
    updatedBefore,
    limit = 100,
    beforeSeq,
  }: IncidentFilter,
): Promise<readonly RecordedIncident[]> {
  const rows = await database
    .selectFrom("incidents")
    .selectAll()
    .$if(applicationId !== undefined, (query) => query.where("application_id", "=", applicationId!))
    .$if(genre !== undefined, (query) => query.where("genre", "=", genre!))
    .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
    .$if(open !== undefined, (query) => query.where("ended_at", open ? "is" : "is not", null))
    .$if(since !== undefined, (query) =>
      query.where((where) =>
        where.or([where("ended_at", "is", null), where("ended_at", ">=", since!)]),
      ),
    )
    .$if(until !== undefined, (query) => query.where("started_at", "<=", until!))
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
