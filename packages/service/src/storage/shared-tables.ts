import { type Kysely, sql } from "kysely";
import { createTable } from "./first-tables.js";
import { isPostgres } from "./engine.js";

/** Columns of an application that its deliveries change. */
const CHANGED_BY_ATTEMPTS: readonly string[] = ["failing_since"];

/** Channel of PostgreSQL on which the processes of one database tell each other of changes. */
export const CHANGES = "riskgate_changes";

/** Tables with settings, of which every process keeps something in memory. */
const SETTINGS = ["applications", "api_keys", "signing_secrets"] as const;

/**
 * Creates what the rules remember between reports, and what tells the processes of one database of
 * each other's changes.
 */
export async function createSharedTables(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await createTable(
    database,
    "windows",
    "seq map:text key_json:text value_json:text version:bigint expires_at:bigint",
  );
  await schema
    .createIndex("windows_one_map_key_json")
    .unique()
    .on("windows")
    .columns(["map", "key_json"])
    .execute();
  for (const column of ["version", "expires_at"]) {
    await schema.createIndex(`windows_by_${column}`).on("windows").column(column).execute();
  }
  await createTable(database, "revisions", "seq name:text version:bigint");
  for (const name of ["settings", "erasures", "windows"]) {
    await sql`insert into revisions (name, version) values (${name}, 0)`.execute(database);
  }
  if (isPostgres(database)) await watchSettings(database);
}

/** Counts every change of a setting, whoever makes it. */
async function watchSettings(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function riskgate_settings_changed() returns trigger language plpgsql as $$
    begin
      update revisions set version = version + 1 where name = 'settings';
      return null;
    end $$
  `.execute(database);
  for (const name of SETTINGS) {
    const table = (await database.introspection.getTables()).find((one) => one.name === name)!;
    const columns = table.columns
      .map((column) => column.name)
      .filter((column) => !CHANGED_BY_ATTEMPTS.includes(column))
      .map((column) => sql.ref(column));
    await sql`
      create trigger riskgate_settings after insert or delete or update of ${sql.join(columns)}
      on ${sql.table(name)} for each statement execute function riskgate_settings_changed()
    `.execute(database);
  }
}

/** Adds the revision of feeds, and has PostgreSQL tell all processes at once of what is rare. */
export async function announceChanges(database: Kysely<unknown>): Promise<void> {
  await sql`insert into revisions (name, version) values ('feeds', 0)`.execute(database);
  if (!isPostgres(database)) return;
  await sql`
    create function riskgate_announce_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('${sql.raw(CHANGES)}', new.name);
      return null;
    end $$
  `.execute(database);
  await sql`
    create trigger riskgate_announce after update on revisions
    for each row when (new.name <> 'windows') execute function riskgate_announce_change()
  `.execute(database);
}
