import { isNumbered, keyOf, TABLE_NAMES, type TableName } from "./tables.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { type Kysely, sql } from "kysely";
import { atomically } from "./atomically.js";
import { noteCleanStop } from "./clean-stop.js";
import { takeDataDirectory } from "./data-directory.js";
import type { Database } from "./database.js";
import { createDatabaseClock } from "./database-clock.js";
import { systemClock } from "../model/instant.js";
import { executedMigrations, MIGRATION_NAMES } from "./migrations.js";
import { checkPostgresUrl, openPostgresTables, openTables } from "./open-storage.js";
import { openPostgres } from "./postgres.js";
import { takeSnapshot } from "./snapshot.js";
import type { StorageUsage } from "../model/storage-usage.js";
import { dialectOf } from "./dialect.js";

/** Revisions, leases and tasks start again in each database. */
const STATE = ["revisions", "partitions", "members", "last_runs"] as const;

type Table = Exclude<TableName, (typeof STATE)[number]>;

const TABLES = TABLE_NAMES.filter(
  (name): name is Table => !(STATE as readonly string[]).includes(name),
);

export type TableCounts = Readonly<Record<Table, number>>;

export interface CopyProgress {
  readonly table: string;
  readonly copied: number;
  readonly rows: number;
}

export interface CopyOptions {
  /** Data directory of a service that is not running, unless `snapshot` is true. */
  readonly dataDir: string;
  /**
   * True to copy what is stored at this moment, while a service may be using the directory: later
   * reports are not copied. Default false.
   */
  readonly snapshot?: boolean;
  /** URL of a PostgreSQL database that no service has used yet. */
  readonly database: string;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** Rows read and written at a time. */
const PAGE = 500;

/**
 * Copies a data directory to a PostgreSQL database, all of it or nothing, and compares the row counts.
 *
 * @returns Number of rows in each table.
 * @throws {RiskGateError} CONFIG_INVALID if the directory does not exist, a service uses it, or the
 * database is not empty; STORE_FAILED
 */
export async function copyDatabase({
  dataDir,
  database: url,
  snapshot = false,
  onProgress = () => {},
}: CopyOptions): Promise<TableCounts> {
  if (!existsSync(join(dataDir, "riskgate.db"))) {
    throw new RiskGateError("CONFIG_INVALID", `no database found in ${dataDir}`, {
      hint: "Pass the data directory of the service",
    });
  }
  const directory = await (snapshot ? takeSnapshot(dataDir) : takeDataDirectory(dataDir));
  try {
    const from = await openTables(directory.databasePath, undefined, systemClock);
    try {
      const to = await openPostgresTables(url, createDatabaseClock());
      try {
        return await atomically(to, (within) => copyTables(from, within, onProgress));
      } finally {
        await to.destroy();
      }
    } finally {
      await from.destroy();
      noteCleanStop(directory.databasePath);
    }
  } finally {
    await directory.release();
  }
}

async function copyTables(
  from: Database,
  to: Database,
  onProgress: (progress: CopyProgress) => void,
): Promise<TableCounts> {
  const before = await countTables(to);
  const used = TABLES.find((table) => before[table] > 0);
  if (used !== undefined) {
    throw new RiskGateError("CONFIG_INVALID", `the database is not empty: it has rows in ${used}`, {
      hint: "Copy to a database that no service has used yet",
    });
  }
  const expected = await countTables(from);
  for (const table of TABLES) {
    await copyTable(from, to, table, (copied) =>
      onProgress({ table, copied, rows: expected[table] }),
    );
    if (isNumbered(table)) await continueAfter(to, table);
  }
  const copied = await countTables(to);
  const wrong = TABLES.find((table) => copied[table] !== expected[table]);
  if (wrong !== undefined) {
    const counts = `only ${copied[wrong]} of ${expected[wrong]} rows of ${wrong} were copied`;
    throw new RiskGateError("STORE_FAILED", counts, {
      hint: "Nothing was stored; run the copy again",
    });
  }
  return copied;
}

async function copyTable(
  from: Database,
  to: Database,
  table: Table,
  onCopied: (copied: number) => void,
): Promise<void> {
  const key = keyOf(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let copied = 0;
  for (let last: Readonly<Record<string, unknown>> | undefined; ;) {
    const after = last && sql.join(key.map((column) => last![column]));
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)}
      where ${after ? sql`(${columns}) > (${after})` : sql`true`}
      order by ${columns} limit ${PAGE}
    `.execute(from);
    if (rows.length > 0) {
      const target = to as unknown as Kysely<Record<string, object>>;
      await target.insertInto(table).values(rows.map(readable)).execute();
    }
    onCopied((copied += rows.length));
    if (rows.length < PAGE) return;
    last = rows.at(-1)!;
  }
}

/** Converts the bytes in a row to a type that every driver can write. */
function readable<Row extends object>(row: Row): Row {
  const members = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof ArrayBuffer ? Buffer.from(value) : value,
  ]);
  return Object.fromEntries(members) as Row;
}

async function continueAfter(database: Database, table: Table): Promise<void> {
  await sql`
    select setval(
      pg_get_serial_sequence(${table}, 'seq'),
      greatest(
        (select coalesce(max(seq), 0) + 1 from ${sql.table(table)}),
        nextval(pg_get_serial_sequence(${table}, 'seq'))
      ),
      false
    )
  `.execute(database);
}

async function countTables(database: Database): Promise<TableCounts> {
  const counts: Partial<Record<Table, number>> = {};
  for (const table of TABLES) {
    const { count } = await database
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  return counts as TableCounts;
}

/** State of a PostgreSQL database. */
export interface DatabaseStatus {
  readonly migrations: readonly string[];
  /** Names of the migrations that `migrateDatabase` or the next start would run. */
  readonly pending: readonly string[];
  /** Absent while migrations are pending. */
  readonly tables?: TableCounts;
  readonly usage: StorageUsage;
}

/**
 * Reads the state of a PostgreSQL database, which a service may be using.
 *
 * @throws {RiskGateError} CONFIG_INVALID, STORE_FAILED
 */
export async function databaseStatus(url: string): Promise<DatabaseStatus> {
  checkPostgresUrl(url);
  const database = await openPostgres(url);
  try {
    return await statusOf(database);
  } finally {
    await database.destroy();
  }
}

/**
 * Migrates a PostgreSQL database to the current tables, and returns its state.
 *
 * @throws {RiskGateError} CONFIG_INVALID, STORE_FAILED
 */
export async function migrateDatabase(url: string): Promise<DatabaseStatus> {
  const database = await openPostgresTables(url, createDatabaseClock());
  try {
    return await statusOf(database);
  } finally {
    await database.destroy();
  }
}

async function statusOf(database: Database): Promise<DatabaseStatus> {
  const migrations = await executedMigrations(database);
  const pending = MIGRATION_NAMES.filter((name) => !migrations.includes(name));
  return {
    migrations,
    pending,
    ...(pending.length === 0 && { tables: await countTables(database) }),
    usage: await dialectOf(database).usage(database),
  };
}
