import type { PendingScoring, PendingScorings } from "./event-store.js";
import type { Selectable } from "kysely";
import { atomicallyUnsynced } from "./atomically.js";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";

export function createPendingScorings(database: Database): PendingScorings {
  return {
    async add(applicationId, eventIds) {
      const { seq } = await database
        .insertInto("pending_scorings")
        .values({ application_id: applicationId, event_ids_json: JSON.stringify(eventIds) })
        .returning("seq")
        .executeTakeFirstOrThrow();
      return seq;
    },
    async list() {
      const rows = await database
        .selectFrom("pending_scorings")
        .selectAll()
        .orderBy("seq")
        .execute();
      return rows.map(pendingScoringOf);
    },
    remove: (seq) =>
      atomicallyUnsynced(
        database,
        async (within) => {
          await within.deleteFrom("pending_scorings").where("seq", "=", seq).execute();
        },
        "reports",
      ),
  };
}

function pendingScoringOf(row: Selectable<Schema["pending_scorings"]>): PendingScoring {
  return {
    seq: row.seq,
    applicationId: row.application_id,
    eventIds: JSON.parse(row.event_ids_json) as string[],
  };
}
