import type { Revised, Revisions } from "./storage.js";
import type { Database } from "./database.js";

export async function readRevisions(database: Database): Promise<Revisions> {
  const rows = await database.selectFrom("revisions").select(["name", "version"]).execute();
  return Object.fromEntries(rows.map(({ name, version }) => [name, version])) as Revisions;
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
