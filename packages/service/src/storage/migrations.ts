import { RiskGateError } from "@riskgate/core";
import { type Kysely, type Migration, Migrator, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { createFirstTables, createTable } from "./first-tables.js";
import { epochMsOf, type Instant } from "../model/instant.js";
import { announceChanges, createSharedTables } from "./shared-tables.js";
import { storeError } from "./store-error.js";

/** Every migration by name, in the order of the names; none is changed once it is released. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_first_tables": { up: createFirstTables },
  "0002_queued_events": { up: completeQueuedEvents },
  "0003_judgements": {
    up: (database: Kysely<unknown>) =>
      createTable(database, "judgements", "seq application_id:text event_ids_json:text"),
  },
  "0004_erasures": {
    up: (database: Kysely<unknown>) =>
      createTable(database, "erasures", "seq kind:text target:integer"),
  },
  "0005_incident_genres": { up: addIncidentGenres },
  "0006_key_scopes": { up: addKeyScopes },
  "0007_shared_tables": { up: createSharedTables },
  "0008_operator_rules": {
    up: (database: Kysely<unknown>) =>
      createTable(database, "operator_rules", "seq rules_json:text"),
  },
  "0009_decisions": { up: createDecisionTable },
  "0010_announced_changes": { up: announceChanges },
  "0011_rate_limits": { up: createRateLimitTable },
};

/** Names of all migrations, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/** Names of the migrations that a database has had, where it counts them as Kysely does. */
const NAMES = "kysely_migration";

/** Table where earlier versions of the service wrote one number for each migration. */
const NUMBERS = "migrations";

/**
 * Brings the tables up to date, all of them or, when that fails, none.
 *
 * @throws {RiskGateError} CONFIG_INVALID when a later version of the service wrote them.
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction().execute(takeOverNumbers);
  const executed = await executedMigrations(database);
  const unknown = executed.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw laterVersion(`migration ${unknown}`);
  const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
  const { error } = await new Migrator({
    db: database,
    provider,
    // The order that is checked is that of their times, and a clock can be put back.
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error !== undefined) throw storeError(error);
}

/** Writes down by name what an earlier version of the service counted by number. */
async function takeOverNumbers(database: Database): Promise<void> {
  if (!(await hasTable(database, NUMBERS))) return;
  const { rows } = await sql<{ version: number; applied_at: Instant }>`
    select version, applied_at from migrations order by version
  `.execute(database);
  const newest = rows.at(-1)?.version ?? 0;
  if (newest > 1) throw laterVersion(`version ${newest}`);
  if (rows[0]) {
    await sql`
      create table kysely_migration (
        name varchar(255) not null primary key, timestamp varchar(255) not null
      )
    `.execute(database);
    const timestamp = new Date(epochMsOf(rows[0].applied_at)).toISOString();
    await sql`insert into kysely_migration values ('0001_first_tables', ${timestamp})`.execute(
      database,
    );
  }
  await sql`drop table migrations`.execute(database);
}

/** Names of the migrations that a database has had, in their order. */
export async function executedMigrations(database: Database): Promise<readonly string[]> {
  if (!(await hasTable(database, NAMES))) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name
  `.execute(database);
  return rows.map(({ name }) => name);
}

/** Whether a database has the tables of any version of the service. */
export async function isMigrated(database: Database): Promise<boolean> {
  return (await hasTable(database, NAMES)) || (await hasTable(database, NUMBERS));
}

async function hasTable(database: Database, table: string): Promise<boolean> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === table);
}

function laterVersion(what: string): RiskGateError {
  return new RiskGateError(
    "CONFIG_INVALID",
    `the database has ${what}, and this service knows migrations up to ${Object.keys(MIGRATIONS).at(-1)}`,
    {
      hint: "Run the version of the service that wrote it, or a later one; where another program did, give the service a database of its own",
    },
  );
}

/** Adds the table of decisions that applications log. */
async function createDecisionTable(database: Kysely<unknown>): Promise<void> {
  const columns =
    "seq application_id:text id:text decided_at:bigint record_json:text received_at:bigint";
  await createTable(database, "decisions", columns);
  await database.schema
    .createIndex("decisions_one_application_id_id")
    .unique()
    .on("decisions")
    .columns(["application_id", "id"])
    .execute();
  await database.schema
    .createIndex("decisions_by_received_at")
    .on("decisions")
    .column("received_at")
    .execute();
}

/** Adds the table in which processes count together; one process counts in memory. */
async function createRateLimitTable(database: Kysely<unknown>): Promise<void> {
  if (!isPostgres(database)) return;
  // What it holds is of no use after a crash.
  await sql`
    create unlogged table rate_limits (
      key varchar(255) primary key, points integer not null, expire bigint
    )
  `.execute(database);
}

/** Adds what genres of incidents an application receives; all of them where nothing was set. */
async function addIncidentGenres({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable("applications").addColumn("incident_genres_json", "text").execute();
}

/** Says of every key what it is for: those of earlier versions are for lookups. */
async function addKeyScopes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable("api_keys")
    .addColumn("scope", "text", (column) => column.notNull().defaultTo("lookup"))
    .execute();
}

/**
 * Completes the security events in the outbox. Earlier versions of the service did so when they made
 * a delivery; now it is done before an event is queued.
 */
async function completeQueuedEvents(database: Kysely<unknown>): Promise<void> {
  // There were none on PostgreSQL.
  if (isPostgres(database)) return;
  await sql`
    update outbox set payload_json = json_patch(payload_json, json_object(
      'event_id', coalesce(payload_json ->> 'event_id', payload_json ->> 'id'),
      'id', coalesce(payload_json ->> 'event_id', payload_json ->> 'id'),
      'event_url', coalesce(payload_json ->> 'event_url', payload_json ->> 'url'),
      'url', coalesce(payload_json ->> 'event_url', payload_json ->> 'url'),
      'risk', coalesce(payload_json ->> 'risk', 25)
    ))
    where payload_type = 'security_event' and json_valid(payload_json)
  `.execute(database);
}
