import { type RawBuilder, sql } from "kysely";
import { appendToPostgres } from "./append-to-postgres.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { beginDays, logParts } from "./log-days.js";
import type { Dialect } from "./dialect.js";

export const postgres: Dialect = {
  isShared: true,
  columnTypes: {
    seq: "bigserial",
    text: "text",
    small: "smallint",
    integer: "bigint",
    bigint: "bigint",
    blob: "bytea",
  },
  rowId: "ctid",
  inNumbers: (values) => sql`(select unnest(${values}::bigint[]))`,
  inTexts: (values) => sql`(select unnest(${values}::text[]))`,
  rowsOf: (rows) => sql`jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as cells (value)`,
  // PostgreSQL may sort text by the rules of a language, so a range could miss some.
  startsWith: (column, text) => sql`starts_with(${sql.ref(column)}, ${text})`,
  async queryEach<Row>(
    database: Database,
    columns: readonly (readonly string[])[],
    query: (...texts: readonly unknown[]) => RawBuilder<Row>,
  ) {
    const names = columns.map((_, number) => `text_${number}`);
    const arrays = columns.map((texts) => sql`${texts}::text[]`);
    const { rows } = await sql<Row & { readonly index: number }>`
      select given.ord - 1 as index, found.* from unnest(${sql.join(arrays)})
        with ordinality as given (${sql.join(names.map((name) => sql.id(name)))}, ord)
      cross join lateral (${query(...names.map((name) => sql.ref(`given.${name}`)))}) as found
    `.execute(database);
    return rows;
  },
  append: appendToPostgres,
  unsynced: (database, work) =>
    atomically(database, async (within) => {
      await sql`set local synchronous_commit to off`.execute(within);
      return work(within);
    }),
  overwriteDeleted: () => Promise.resolve(),
  logParts,
  beginDays: (database) => beginDays(database),
  async usage(database) {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes
    `.execute(database);
    return { databaseBytes: rows[0]!.bytes };
  },
};
