import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** A list as one value, so that lists of every length, also the empty one, share a statement. */
export function inNumbers(database: Database, values: readonly number[]): RawBuilder<number> {
  if (isPostgres(database)) return sql<number>`(select unnest(${values}::bigint[]))`;
  return sql<number>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** The same for texts. */
export function inTexts(database: Database, values: readonly string[]): RawBuilder<string> {
  if (isPostgres(database)) return sql<string>`(select unnest(${values}::text[]))`;
  return sql<string>`(select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * Rows of a statement as one value: a list of lists, of which `value ->> 0` is the first cell as text
 * and `value -> 0` the same as JSON.
 */
export function rowsOf(
  database: Database,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const text = JSON.stringify(rows);
  if (isPostgres(database)) return sql`json_array_elements(${text}::json) as cells (value)`;
  return sql`json_each(${text})`;
}

/** Most rows in one statement: with every table's columns well below SQLite's 32,766 values. */
const MAX_ROWS = 1_000;

/** Cuts a list into lists short enough for one statement; none for an empty list. */
export function inChunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += MAX_ROWS) {
    chunks.push(list.slice(start, start + MAX_ROWS));
  }
  return chunks;
}
