import { type Kysely, sql } from "kysely";

/** PostgreSQL channel on which processes that share a database notify each other of changes. */
export const CHANGES = "riskgate_changes";

/** Tables with settings that every process caches. */
const SETTINGS = ["applications", "api_keys", "signing_secrets"] as const;

const CHANGED_BY_ATTEMPTS: readonly string[] = ["failing_since"];

/** Makes PostgreSQL count every settings change, and notify all processes of rare changes. */
export async function watchChanges(database: Kysely<unknown>): Promise<void> {
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
  await sql`
    create function riskgate_publish_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('${sql.raw(CHANGES)}', new.name);
      return null;
    end $$
  `.execute(database);
  await sql`
    create trigger riskgate_publish after update on revisions
    for each row when (new.name <> 'detection') execute function riskgate_publish_change()
  `.execute(database);
}
