import type { Selectable } from "kysely";
import type { Database } from "../database.js";
import type { JsonObject } from "../json-object.js";
import type { Playbooks, StoredResponse } from "../playbooks.js";
import type { Schema } from "../schema.js";

type Responses = Pick<Playbooks, "recordResponse" | "activeResponse" | "responses">;

/** What playbooks answered. */
export function createResponsesTable(database: Database): Responses {
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
    async responses(applicationId, limit) {
      const rows = await database
        .selectFrom("responses")
        .selectAll()
        .where("application_id", "=", applicationId)
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
