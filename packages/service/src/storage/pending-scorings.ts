import type { StoredJudgement, Judgements } from "./event-store.js";
import type { Selectable } from "kysely";
import { atomicallyUnsynced } from "./atomically.js";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";

/** Creates the judgements in a database. */
export function createJudgements(database: Database): Judgements {
  return {
    async add(applicationId, eventIds) {
      const { seq } = await database
        .insertInto("judgements")
        .values({ application_id: applicationId, event_ids_json: JSON.stringify(eventIds) })
        .returning("seq")
        .executeTakeFirstOrThrow();
      return seq;
    },
    async list() {
      const rows = await database.selectFrom("judgements").selectAll().orderBy("seq").execute();
      return rows.map(judgementOf);
    },
    remove: (seq) =>
      atomicallyUnsynced(
        database,
        async (within) => {
          await within.deleteFrom("judgements").where("seq", "=", seq).execute();
        },
        "reports",
      ),
  };
}

function judgementOf(row: Selectable<Schema["judgements"]>): StoredJudgement {
  return {
    seq: row.seq,
    applicationId: row.application_id,
    eventIds: JSON.parse(row.event_ids_json) as string[],
  };
}
