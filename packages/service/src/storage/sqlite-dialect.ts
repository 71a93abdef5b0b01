import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { appendToSqlite } from "./append-to-sqlite.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Dialect } from "./dialect.js";

/** Greater than any character of an id or a name. */
const LAST = "\u{10ffff}";

export const sqlite: Dialect = {
  isShared: false,
  // SQLite has a single integer type, of 64 bits.
  columnTypes: {
    seq: "integer",
    text: "text",
    small: "integer",
    integer: "integer",
    bigint: "bigint",
    blob: "blob",
  },
  rowId: "rowid",
  inNumbers: inList,
  inTexts: inList,
  rowsOf: (rows) => sql`json_each(${JSON.stringify(rows)})`,
  // A range, which an index can serve.
  startsWith: (column, text) =>
    sql`${sql.ref(column)} >= ${text} and ${sql.ref(column)} < ${text + LAST}`,
  async queryEach(database, columns, query) {
    const found = [];
    for (let index = 0; index < (columns[0]?.length ?? 0); index++) {
      const texts = columns.map((column) => column[index]);
      const { rows } = await query(...texts).execute(database);
      found.push(...rows.map((row) => ({ ...row, index })));
    }
    return found;
  },
  append: appendToSqlite,
  unsynced: (database, work) =>
    database.connection().execute(async (connection) => {
      await sql`pragma synchronous = normal`.execute(connection);
      try {
        return await atomically(connection, work);
      } finally {
        await sql`pragma synchronous = full`.execute(connection);
      }
    }),
  overwriteDeleted,
  logParts: () => Promise.resolve([{ table: "log" }]),
  beginDays: () => Promise.resolve(),
  async usage(database) {
    const { rows } = await sql<{ file: string; bytes: number }>`
      select file, page_count * page_size as bytes
      from pragma_database_list, pragma_page_count, pragma_page_size
      where name = 'main'
    `.execute(database);
    const { file, bytes } = rows[0]!;
    const { bavail, bsize } = await statfs(dirname(file));
    return { databaseBytes: bytes, freeBytes: bavail * bsize };
  },
};

/** Databases whose write-ahead log still contains deleted rows, because another process was reading. */
const overdue = new WeakSet<Database>();

async function overwriteDeleted(database: Database, onlyIfDue = false): Promise<void> {
  if (database.isTransaction || (onlyIfDue && !overdue.has(database))) return;
  await database.connection().execute(async (connection) => {
    // Waiting for a reader, such as a copy, would hold up the whole process.
    await sql`pragma busy_timeout = 0`.execute(connection);
    try {
      const { rows } = await sql<{ busy: number }>`
        pragma wal_checkpoint(truncate)
      `.execute(connection);
      if (rows[0]?.busy) overdue.add(database);
      else overdue.delete(database);
    } finally {
      await sql`pragma busy_timeout = 5000`.execute(connection);
    }
  });
}

function inList<T extends string | number>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}
