import type { PlaybookResponses } from "./incident-store.js";
import type { StoredResponse } from "../model/playbook.js";
import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";
import type { JsonObject } from "../model/json-object.js";

/** Creates the responses in a database. */
export function createPlaybookResponses(database: Database): PlaybookResponses {
  return {
    async recordResponse(response) {
      await database
        .insertInto("responses")
        .values({
          id: response.id,
          application_id: response.applicationId,
          playbook_id: response.playbookId,
          subject: response.subject,
          created_at: response.createdAt,
          ends_at: response.endsAt,
          payload_json: JSON.stringify(response.payload),
        })
        .execute();
    },
    async activeResponse(playbookId, subject, now) {
      const row = await database
        .selectFrom("responses")
        .selectAll()
        .where("playbook_id", "=", playbookId)
        .where("subject", "=", subject)
        .where("ends_at", ">", now)
        .orderBy("ends_at", "desc")
        .executeTakeFirst();
      return row && responseOf(row);
    },
    async responses(applicationId, limit, { since, until } = {}) {
      const rows = await database
        .selectFrom("responses")
        .selectAll()
        .where("application_id", "=", applicationId)
        .$if(since !== undefined, (query) => query.where("created_at", ">=", since!))
        .$if(until !== undefined, (query) => query.where("created_at", "<=", until!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(responseOf);
    },
  };
}

function responseOf(row: Selectable<Schema["responses"]>): StoredResponse {
  return {
    id: row.id,
    applicationId: row.application_id,
    playbookId: row.playbook_id,
    subject: row.subject,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    payload: JSON.parse(row.payload_json) as JsonObject,
  };
}
