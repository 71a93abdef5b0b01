import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import { isPostgres } from "./engine.js";
import type { Schema } from "./schema.js";
import { watchChanges } from "./change-triggers.js";

export type TableName = keyof Schema;

/** Columns of each table; a question mark allows null, and `seq` is auto-incremented. */
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
  events:
    "seq application_id:text id:text kind:text category:text occurred_at:bigint " +
    "high_risk:integer payload_json:text received_at:bigint",
  ledger:
    "seq subject_type:text subject:text application_id:text event_id:text occurred_at:bigint " +
    "high_risk:integer",
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
  pending_scorings: "seq application_id:text event_ids_json:text",
  windows: "seq map:text key_json:text value_json:text version:bigint expires_at:bigint",
  revisions: "seq name:text version:bigint",
  operator_rules: "seq rules_json:text",
  outbox: "seq application_id:text payload_type:text payload_json:text queued_at:bigint",
  deliveries:
    "seq id:text application_id:text body_bytes:integer payload_count:integer " +
    "created_at:bigint state:text attempts:integer next_attempt_at:bigint? " +
    "last_status:integer? last_error:text?",
  // Separate from the deliveries, whose rows each attempt rewrites; `seq` is that of the delivery.
  bodies: "seq body:blob",
  pending_erasures: "seq kind:text target:integer",
  attempts:
    "seq delivery_seq:integer number:integer started_at:bigint duration_ms:integer status:integer? " +
    "error:text? location:text? excerpt:text?",
};

export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES) as TableName[];

export const OWNED_TABLES: readonly TableName[] = TABLE_NAMES.filter((name) =>
  TABLES[name].includes(" application_id:"),
);

const UNIQUE = [
  ["applications", "id"],
  ["api_keys", "id"],
  ["api_keys", "hash"],
  ["events", "application_id", "id"],
  ["incidents", "id"],
  ["playbooks", "id"],
  ["responses", "id"],
  ["decisions", "application_id", "id"],
  ["windows", "map", "key_json"],
  ["deliveries", "id"],
  ["attempts", "delivery_seq", "number"],
] as const;

const INDEXED = [
  ["api_keys", "application_id"],
  ["signing_secrets", "application_id"],
  ["events", "occurred_at"],
  ["ledger", "subject_type", "subject"],
  ["ledger", "occurred_at"],
  ["incidents", "application_id", "genre", "subject", "ended_at"],
  ["playbooks", "application_id"],
  ["responses", "application_id"],
  ["decisions", "received_at"],
  ["windows", "version"],
  ["windows", "expires_at"],
  ["outbox", "application_id"],
  ["deliveries", "application_id"],
] as const;

/** Partial indexes over the few rows that match a condition; other rows cost nothing. */
const PARTLY_INDEXED = [
  ["deliveries", "due", "state = 'pending'", "application_id", "next_attempt_at"],
  ["deliveries", "failure", "state = 'dead' or state = 'cancelled'", "state"],
] as const;

const REVISIONS = ["settings", "erasures", "windows", "feeds"] as const;

/** Column types, by the names used above. */
type ColumnTypes = Readonly<
  Record<
    "seq" | "text" | "integer" | "bigint" | "blob",
    "text" | "integer" | "bigint" | "blob" | "bytea" | "bigserial"
  >
>;

const SQLITE_TYPES: ColumnTypes = {
  seq: "integer",
  text: "text",
  integer: "integer",
  bigint: "bigint",
  blob: "blob",
};

// SQLite has a single integer type, of 64 bits.
const POSTGRES_TYPES: ColumnTypes = {
  seq: "bigserial",
  text: "text",
  integer: "bigint",
  bigint: "bigint",
  blob: "bytea",
};

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
  for (const [table, ...columns] of INDEXED) {
    await schema
      .createIndex(`${table}_by_${columns.join("_")}`)
      .on(table)
      .columns([...columns])
      .execute();
  }
  for (const [table, name, condition, ...columns] of PARTLY_INDEXED) {
    await schema
      .createIndex(`${table}_by_${name}`)
      .on(table)
      .columns([...columns])
      .where(sql<boolean>`${sql.raw(condition)}`)
      .execute();
  }
  for (const name of REVISIONS) {
    await sql`insert into revisions (name, version) values (${name}, 0)`.execute(database);
  }
  if (!isPostgres(database)) return;
  // For counts that processes share; a single process counts in memory. Useless after a crash.
  await sql`
    create unlogged table rate_limits (
      key varchar(255) primary key, points integer not null, expire bigint
    )
  `.execute(database);
  await watchChanges(database);
}

async function createTable(
  database: Kysely<unknown>,
  name: string,
  columns: string,
): Promise<void> {
  const types = isPostgres(database) ? POSTGRES_TYPES : SQLITE_TYPES;
  let table: CreateTableBuilder<string, string> = database.schema.createTable(name);
  for (const column of columns.split(" ")) {
    table = addColumn(table, column, types);
  }
  await table.execute();
}

function addColumn(
  table: CreateTableBuilder<string, string>,
  column: string,
  types: ColumnTypes,
): CreateTableBuilder<string, string> {
  const [, name, type, optional] = /^(\w+)(?::(\w+)(\?)?)?$/.exec(column)!;
  if (type === undefined) {
    return table.addColumn(name!, types.seq, (definition) => {
      const key = definition.primaryKey();
      return types.seq === "integer" ? key.autoIncrement() : key;
    });
  }
  return table.addColumn(name!, types[type as keyof ColumnTypes], (definition) =>
    optional ? definition : definition.notNull(),
  );
}
