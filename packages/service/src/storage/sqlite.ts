import {
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import Libsql from "libsql";
import { type Database, storedText } from "./database.js";
import type { Schema } from "./schema.js";
import { sqlite } from "./sqlite-dialect.js";
import { storeError } from "./store-error.js";

/** Maximum number of cached statements. */
const MAX_STATEMENTS = 200;

export interface SqliteSettings {
  readonly path: string;
  /** Maximum size of the database, in bytes; undefined for no limit but the disk. */
  readonly maxBytes: number | undefined;
}

const PRAGMAS = [
  // For new databases. A delivery body fills many pages; large pages halve the time.
  "page_size = 16384",
  "journal_mode = WAL",
  // Sync every commit before it is acknowledged, so that it survives a crash or a power failure.
  // (`atomically.ts` turns this off for data that may be lost.)
  "synchronous = FULL",
  "busy_timeout = 5000",
  // Overwrite deleted data, so that the file does not reveal it later.
  "secure_delete = ON",
] as const;

type Value = string | number | bigint | Uint8Array | null;

/**
 * Opens the database of a data directory. Although queries return promises, the single connection
 * works synchronously, so a query never waits for another process.
 */
export function openSqlite({ path, maxBytes }: SqliteSettings): Database {
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

class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new Adapter();
  }
}

/** Runs all migrations in one transaction, which SQLite supports: either all of them apply or none. */
class Adapter extends SqliteAdapter {
  readonly dialect = sqlite;

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Wraps a connection for Kysely: converts errors, and values that the driver does not accept. */
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
      // A full disk has already rolled the transaction back; rolling back again would hide that error.
      if (sql === "rollback" && !connection.inTransaction) return prepare("select 1");
      // Only the garbage collector releases statements, so each is prepared once.
      const statement = statements.get(sql) ?? prepare(sql);
      statements.delete(sql);
      statements.set(sql, statement);
      if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value!);
      return statement;
    },
    close() {
      statements.clear();
      try {
        // The files stay open until the statements are collected, so empty the log now.
        connection.pragma("wal_checkpoint(TRUNCATE)");
      } catch {
        // On a full disk the log remains, and the next start reads it.
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

/** Converts booleans, which would make the driver crash the process. */
function bindable(value: unknown): Value {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" ? storedText(value) : (value as Value);
}
