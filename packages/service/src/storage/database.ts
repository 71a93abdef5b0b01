import {
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
  sql,
} from "kysely";
import Libsql from "libsql";
import { isPostgres } from "./engine.js";
import type { Schema } from "./schema.js";
import { storeError } from "./store-error.js";

/** Most statements that are kept for the next time. */
const MAX_STATEMENTS = 200;

/** The tables; a transaction is a database, too. */
export type Database = Kysely<Schema>;

/** Settings of {@link openDatabase}. */
export interface DatabaseSettings {
  readonly path: string;
  /** Most bytes that the database may take; without it as many as the disk has. */
  readonly maxBytes: number | undefined;
}

const PRAGMAS = [
  // Of a new database. The body of a delivery fills many pages, and takes half the time in large ones.
  "page_size = 16384",
  "journal_mode = WAL",
  // What was acknowledged has been synced: it outlives the process and the power supply. (What may
  // be lost turns this off for itself: `atomically.ts`.)
  "synchronous = FULL",
  "busy_timeout = 5000",
  // What is deleted is overwritten: whoever gets the file later finds nothing of it.
  "secure_delete = ON",
] as const;

type Value = string | number | bigint | Uint8Array | null;

/**
 * Opens the database of a data directory. Its one connection works synchronously beneath the
 * promises, so a query never waits for another process.
 */
export function openDatabase({ path, maxBytes }: DatabaseSettings): Database {
  const connection = new Libsql(path);
  try {
    for (const pragma of PRAGMAS) connection.pragma(pragma);
    if (maxBytes !== undefined) {
      const [row] = connection.pragma("page_size") as [{ page_size: number }];
      connection.pragma(`max_page_count = ${Math.ceil(maxBytes / row.page_size)}`);
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return new Kysely<Schema>({ dialect: new Dialect({ database: careful(connection) }) });
}

/**
 * Removes deleted rows from the write-ahead log. Within a transaction it does nothing.
 * PostgreSQL has separate rules for that: `docs/production.md`.
 */
export async function overwriteLog(database: Database): Promise<void> {
  if (!database.isTransaction && !isPostgres(database))
    await sql`pragma wal_checkpoint(truncate)`.execute(database);
}

class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new Adapter();
  }
}

/** Lets Kysely change tables within a transaction, as SQLite can: all migrations are done, or none. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** What Kysely needs of a connection, with our errors and with values that the driver can take. */
function careful(connection: Libsql.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const statement = attempt(() => connection.prepare(sql));
    return {
      reader: statement.reader,
      all: (values) => attempt(() => statement.all(values.map(bindable))),
      run: (values) => attempt(() => statement.run(values.map(bindable))),
      iterate: (values) => attempt(() => statement.iterate(values.map(bindable))),
    };
  };
  return {
    prepare(sql) {
      // A full disk has already ended the transaction; a second end would hide that error.
      if (sql === "rollback" && !connection.inTransaction) return prepare("select 1");
      // Only the garbage collector releases a statement, so each is made once.
      const statement = statements.get(sql) ?? prepare(sql);
      statements.delete(sql);
      statements.set(sql, statement);
      if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value!);
      return statement;
    },
    close() {
      statements.clear();
      try {
        // The files stay open until the statements are collected: leave nothing in the log.
        connection.pragma("wal_checkpoint(TRUNCATE)");
      } catch {
        // On a full disk the log stays, and the next opening reads it.
      }
      connection.close();
    },
  };
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
}

/** The driver ends the process over a boolean. */
function bindable(value: unknown): Value {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" ? storedText(value) : (value as Value);
}

/** A text as it comes back: no database keeps a NUL or half a surrogate pair. */
export function storedText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
