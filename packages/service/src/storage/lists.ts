import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** Binds a list as one value, so that lists of any length, including 0, share a statement. */
export function inNumbers(database: Database, values: readonly number[]): RawBuilder<number> {
  if (isPostgres(database)) return sql<number>`(select unnest(${values}::bigint[]))`;
  return sql<number>`(select value from json_each(${JSON.stringify(values)}))`;
}

export function inTexts(database: Database, values: readonly string[]): RawBuilder<string> {
  if (isPostgres(database)) return sql<string>`(select unnest(${values}::text[]))`;
  return sql<string>`(select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * Binds the rows of a statement as one value, a list of lists: `value ->> 0` is the first cell as text
 * and `value -> 0` the same cell as JSON.
 */
export function rowsOf(
  database: Database,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const text = JSON.stringify(rows);
  if (isPostgres(database)) return sql`json_array_elements(${text}::json) as cells (value)`;
  return sql`json_each(${text})`;
}

/** Maximum rows in one statement; for every table, this stays well below SQLite's 32,766 values. */
const MAX_ROWS = 1_000;

/** Splits a list into chunks short enough for one statement; an empty list has no chunks. */
export function inChunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += MAX_ROWS) {
    chunks.push(list.slice(start, start + MAX_ROWS));
  }
  return chunks;
}
