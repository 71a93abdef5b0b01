import type { Revised, Revisions } from "./storage.js";
import { sql } from "kysely";
import type { Database } from "./database.js";

export async function readRevisions(database: Database): Promise<Revisions> {
  const { rows } = await sql<{ name: Revised | "ledger" | "scorings"; version: number }>`
    select name, version from revisions
    union all select 'ledger', coalesce(max(seq), 0) from ledger
    union all select 'scorings', count(*) from (select 1 from pending_scorings limit 1) as scorings
  `.execute(database);
  const { scorings, ...versions } = Object.fromEntries(
    rows.map(({ name, version }) => [name, version]),
  ) as Record<Revised | "ledger" | "scorings", number>;
  return { ...versions, isScoringPending: scorings > 0 };
}

/** Counts a change within its transaction. @returns The number of the change. */
export async function advance(database: Database, name: Revised): Promise<number> {
  const { version } = await database
    .updateTable("revisions")
    .set((row) => ({ version: row("version", "+", 1) }))
    .where("name", "=", name)
    .returning("version")
    .executeTakeFirstOrThrow();
  return version;
}
