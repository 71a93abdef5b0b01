import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import { PARTITIONS } from "../model/log-entry.js";
import { type ColumnTypes, dialectOf } from "./dialect.js";
import { divideLog } from "./log-days.js";
import type { Schema } from "./schema.js";
import { watchChanges } from "./change-triggers.js";

export type TableName = keyof Schema;

/** Columns of each table; a question mark allows null, and `seq` numbers the rows. */
const TABLES: Readonly<Record<TableName, string>> = {
  applications:
    "seq id:text name:text environment:text kind:text shares_reports:integer webhook_url:text? " +
    "payload_types_json:text event_kinds_json:text? incident_genres_json:text? one_type_per_call:integer " +
    "max_body_bytes:integer allowed_destinations_json:text max_deliveries_per_minute:integer? failing_since:bigint? " +
    "disabled_at:bigint? disabled_reason:text? created_at:bigint",
  api_keys:
    "seq id:text application_id:text scope:text hash:text hint:text created_at:bigint " +
    "revoked_at:bigint? quota_json:text?",
  signing_secrets: "seq id:text application_id:text value:text created_at:bigint not_after:bigint?",
  log:
    "seq application_id:text type:text event_id:text? kind:text category:text occurred_at:bigint " +
    "received_at:bigint high_risk:small cause:bigint? payload_json:text",
  event_ids: "application_id:text event_id:text log_seq:bigint",
  heads: "application_id:text partition:integer",
  cursors: "application_id:text consumer:text position:bigint version:bigint",
  partitions: "partition:integer owner:text? epoch:bigint until_ms:bigint",
  members: "id:text name:text ahead_ms:bigint until_ms:bigint",
  ledger:
    // Numbers first: PostgreSQL aligns them, and this is the table with the most rows.
    "log_seq:bigint occurred_at:bigint high_risk:small subject_type:text subject_key:text " +
    "application_id:text subject:text",
  incidents:
    "seq id:text application_id:text genre:text subject:text started_at:bigint ended_at:bigint? " +
    "updated_at:bigint payload_json:text state_json:text",
  playbooks:
    "seq id:text application_id:text name:text rule_json:text response_json:text " +
    "enabled:integer created_at:bigint",
  responses:
    "seq id:text application_id:text playbook_id:text subject:text created_at:bigint " +
    "ends_at:bigint payload_json:text",
  decisions:
    "seq application_id:text id:text decided_at:bigint record_json:text received_at:bigint",
  labels:
    "application_id:text about:text target:text digest:text? label:text labelled_at:bigint " +
    "received_at:bigint",
  windows: "application_id:text map:text key_json:text value_json:text expires_at:bigint",
  revisions: "seq name:text version:bigint",
  last_runs: "task:text ended_at:bigint",
  operator_rules: "seq rules_json:text",
  deliveries:
    "seq id:text application_id:text body_bytes:integer payload_count:integer " +
    "created_at:bigint state:text attempts:integer next_attempt_at:bigint? " +
    "last_status:integer? last_error:text? first_seq:bigint? last_seq:bigint? without_json:text?",
  pending_erasures: "seq kind:text target:integer",
  attempts:
    "seq delivery_seq:integer number:integer started_at:bigint duration_ms:integer status:integer? " +
    "error:text? location:text? excerpt:text?",
};

export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES) as TableName[];

/**
 * Tables with rows of an application. Those that are locked by detection and by reports come first, so
 * that deleting an application waits for them, and they add nothing after it.
 */
export const OWNED_TABLES: readonly TableName[] = [
  ...new Set<TableName>(["cursors", "heads", ...TABLE_NAMES.filter(isOwned)]),
];

function isOwned(name: TableName): boolean {
  return /(^| )application_id:/.test(TABLES[name]);
}

/** Primary keys of the tables that grow with the reports; rows that are read together are adjacent. */
const KEYS = {
  log: ["application_id", "seq"],
  event_ids: ["application_id", "event_id"],
  heads: ["application_id"],
  cursors: ["application_id", "consumer"],
  partitions: ["partition"],
  members: ["id"],
  last_runs: ["task"],
  ledger: ["subject_type", "subject_key", "log_seq", "subject"],
  labels: ["application_id", "about", "target"],
  windows: ["application_id", "map", "key_json"],
} as const satisfies Partial<Record<TableName, readonly string[]>>;

export function isNumbered(table: TableName): boolean {
  return TABLES[table].startsWith("seq ");
}

/** Returns the columns by which the rows of a table are ordered. */
export function keyOf(table: TableName): readonly string[] {
  return isNumbered(table) ? ["seq"] : KEYS[table as keyof typeof KEYS];
}

const UNIQUE = [
  ["applications", "id"],
  ["api_keys", "id"],
  ["api_keys", "hash"],
  ["incidents", "id"],
  ["playbooks", "id"],
  ["responses", "id"],
  ["decisions", "application_id", "id"],
  ["deliveries", "id"],
  ["attempts", "delivery_seq", "number"],
] as const;

const INDEXED = [
  ["api_keys", "application_id"],
  ["signing_secrets", "application_id"],
  ["log", "seq"],
  ["log", "received_at"],
  ["event_ids", "log_seq"],
  ["ledger", "occurred_at"],
  ["incidents", "application_id", "genre", "subject", "ended_at"],
  ["incidents", "ended_at"],
  ["playbooks", "application_id"],
  ["responses", "application_id"],
  ["responses", "ends_at"],
  ["decisions", "received_at"],
  ["labels", "received_at"],
  ["windows", "application_id", "expires_at"],
  ["deliveries", "application_id", "first_seq"],
  ["deliveries", "created_at"],
] as const;

/** Partial indexes over the few rows that match a condition; other rows cost nothing. */
const PARTLY_INDEXED = [
  ["deliveries", "due", "state = 'pending'", "application_id", "next_attempt_at"],
  ["deliveries", "failure", "state = 'dead' or state = 'cancelled'", "state"],
  ["incidents", "open", "ended_at is null", "application_id"],
] as const;

const REVISIONS = ["settings", "erasures", "feeds", "detection"] as const;

export async function createTables(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  for (const [name, columns] of Object.entries(TABLES)) await createTable(database, name, columns);
  for (const [table, ...columns] of UNIQUE) {
    await schema
      .createIndex(`${table}_one_${columns.join("_")}`)
      .unique()
      .on(table)
      .columns([...columns])
      .execute();
  }
  await createIndexes(database);
  for (const [table, name, condition, ...columns] of PARTLY_INDEXED) {
    await schema
      .createIndex(`${table}_by_${name}`)
      .on(table)
      .columns([...columns])
      .where(sql<boolean>`${sql.raw(condition)}`)
      .execute();
  }
  for (let partition = 0; partition < PARTITIONS; partition++) {
    await sql`
      insert into partitions (partition, epoch, until_ms) values (${partition}, 0, 0)
    `.execute(database);
  }
  for (const name of REVISIONS) {
    await sql`insert into revisions (name, version) values (${name}, 0)`.execute(database);
  }
  if (!dialectOf(database).isShared) return;
  // For counts that processes share; a single process counts in memory. Useless after a crash.
  await sql`
    create unlogged table rate_limits (
      key varchar(255) primary key, points integer not null, expire bigint
    )
  `.execute(database);
  await watchChanges(database);
}

/** Adds what the tables of an earlier build lack, and divides the log by days. */
export async function divideByDays(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("last_runs")
    .ifNotExists()
    .addColumn("task", "text", (column) => column.primaryKey())
    .addColumn("ended_at", "bigint", (column) => column.notNull())
    .execute();
  await addLabels(database);
  if (dialectOf(database).isShared) {
    await divideLog(database, () => createIndexes(database));
  } else {
    await createIndexes(database);
  }
}

/** Adds the table that an earlier build lacks. */
export async function addLabels(database: Kysely<unknown>): Promise<void> {
  const tables = await database.introspection.getTables();
  if (tables.some(({ name }) => name === "labels")) return;
  await createTable(database, "labels", TABLES.labels);
  await createIndexes(database);
}

/** Adds the revision that the tables of an earlier build lack. */
export async function addRevision(database: Kysely<unknown>): Promise<void> {
  await sql`
    insert into revisions (name, version)
    select 'detection', 0 where not exists (select 1 from revisions where name = 'detection')
  `.execute(database);
}

/** Adds the version that the cursors of an earlier build lack. */
export async function addVersion(database: Kysely<unknown>): Promise<void> {
  const tables = await database.introspection.getTables();
  const cursors = tables.find(({ name }) => name === "cursors");
  if (cursors?.columns.some(({ name }) => name === "version")) return;
  await database.schema
    .alterTable("cursors")
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function createIndexes(database: Kysely<unknown>): Promise<void> {
  for (const [table, ...columns] of INDEXED) {
    await database.schema
      .createIndex(`${table}_by_${columns.join("_")}`)
      .ifNotExists()
      .on(table)
      .columns([...columns])
      .execute();
  }
}

async function createTable(
  database: Kysely<unknown>,
  name: string,
  columns: string,
): Promise<void> {
  const types = dialectOf(database).columnTypes;
  let table: CreateTableBuilder<string, string> = database.schema.createTable(name);
  const isKeyed = types.seq !== "integer" && name in KEYS;
  for (const column of columns.split(" ")) table = addColumn(table, column, types, isKeyed);
  const key: readonly string[] | undefined = KEYS[name as keyof typeof KEYS];
  // SQLite numbers only a primary key of one column, so there this is an ordinary unique index.
  if (key && types.seq === "integer" && isNumbered(name as TableName)) {
    await table.execute();
    await database.schema
      .createIndex(`${name}_key`)
      .unique()
      .on(name)
      .columns([...key])
      .execute();
    return;
  }
  if (key) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never);
  await table.execute();
}

function addColumn(
  table: CreateTableBuilder<string, string>,
  column: string,
  types: ColumnTypes,
  isKeyed: boolean,
): CreateTableBuilder<string, string> {
  const [, name, type, optional] = /^(\w+)(?::(\w+)(\?)?)?$/.exec(column)!;
  if (type === undefined) {
    return table.addColumn(name!, types.seq, (definition) => {
      if (isKeyed) return definition.notNull();
      const key = definition.primaryKey();
      return types.seq === "integer" ? key.autoIncrement() : key;
    });
  }
  return table.addColumn(name!, types[type as keyof ColumnTypes], (definition) =>
    optional ? definition : definition.notNull(),
  );
}
