import { sql } from "kysely";
import type { Database } from "./database.js";
import type { Windows } from "./event-store.js";
import { inChunks, rowsOf } from "./lists.js";

const PAGE = 1_000;

export function createWindows(database: Database): Windows {
  return {
    async save(applicationId, windows) {
      for (const chunk of inChunks(windows)) {
        // As JSON texts, which contain no characters that a database cannot store.
        const rows = chunk.map(({ map, key, value, expiresAt }) => [
          map,
          JSON.stringify(key),
          JSON.stringify(value),
          expiresAt,
        ]);
        await sql`
          insert into windows (application_id, map, key_json, value_json, expires_at)
          select
            ${applicationId}, value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as bigint)
          from ${rowsOf(database, rows)} where true
          on conflict (application_id, map, key_json) do update set
            value_json = excluded.value_json,
            expires_at = excluded.expires_at
        `.execute(database);
      }
    },
    async find(applicationId, map, key) {
      const row = await database
        .selectFrom("windows")
        .select("value_json")
        .where("application_id", "=", applicationId)
        .where("map", "=", map)
        .where("key_json", "=", JSON.stringify(key))
        .executeTakeFirst();
      return row && (JSON.parse(row.value_json) as unknown);
    },
    async *load(applicationId) {
      let last = { expires_at: 0, map: "", key_json: "" };
      for (;;) {
        const rows = await database
          .selectFrom("windows")
          .select(["map", "key_json", "value_json", "expires_at"])
          .where("application_id", "=", applicationId)
          .where((where) =>
            where(
              where.refTuple("expires_at", "map", "key_json"),
              ">",
              where.tuple(last.expires_at, last.map, last.key_json),
            ),
          )
          // In each map, the order in which they were written.
          .orderBy("expires_at")
          .orderBy("map")
          .orderBy("key_json")
          .limit(PAGE)
          .execute();
        for (const { map, key_json: key, value_json: value } of rows) {
          yield { map, key: JSON.parse(key) as string, value: JSON.parse(value) };
        }
        if (rows.length < PAGE) return;
        last = rows.at(-1)!;
      }
    },
  };
}
