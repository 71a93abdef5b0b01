import type { Windows } from "./event-store.js";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { inChunks, rowsOf } from "./lists.js";
import { advance } from "./revisions.js";

const PAGE = 1_000;

export function createWindows(database: Database): Windows {
  return {
    async save(windows) {
      const version = await advance(database, "windows");
      for (const chunk of inChunks(windows)) {
        // As JSON texts, which contain no characters that a database cannot store.
        const rows = chunk.map(({ map, key, value, expiresAt }) => [
          map,
          JSON.stringify(key),
          JSON.stringify(value),
          expiresAt,
        ]);
        await sql`
          insert into windows (map, key_json, value_json, version, expires_at)
          select value ->> 0, value ->> 1, value ->> 2, ${version}, cast(value ->> 3 as bigint)
          from ${rowsOf(database, rows)} where true
          on conflict (map, key_json) do update set
            value_json = excluded.value_json,
            version = excluded.version,
            expires_at = excluded.expires_at
        `.execute(database);
      }
      return version;
    },
    async *after(version) {
      let last = { version, seq: Number.MAX_SAFE_INTEGER };
      for (;;) {
        const rows = await database
          .selectFrom("windows")
          .selectAll()
          .where((where) =>
            where.or([
              where("version", ">", last.version),
              where.and([where("version", "=", last.version), where("seq", ">", last.seq)]),
            ]),
          )
          .orderBy("version")
          .orderBy("seq")
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
