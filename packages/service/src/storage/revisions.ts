import type { Revised, Revisions } from "./storage.js";
import { sql } from "kysely";
import type { Database } from "./database.js";

/** Reads how far the record has come, in one query. */
export async function readRevisions(database: Database): Promise<Revisions> {
  const { rows } = await sql<{ name: Revised | "ledger" | "owed"; version: number }>`
    select name, version from revisions
    union all select 'ledger', coalesce(max(seq), 0) from ledger
    union all select 'owed', count(*) from (select 1 from pending_scorings limit 1) as owed
  `.execute(database);
  const { owed, ...versions } = Object.fromEntries(
    rows.map(({ name, version }) => [name, version]),
  ) as Record<Revised | "ledger" | "owed", number>;
  return { ...versions, isScoringPending: owed > 0 };
}

/** Counts a change, in the transaction that makes it. @returns The number of this change. */
export async function advance(database: Database, name: Revised): Promise<number> {
  const { version } = await database
    .updateTable("revisions")
    .set((row) => ({ version: row("version", "+", 1) }))
    .where("name", "=", name)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}
