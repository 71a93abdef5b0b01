import type { RawBuilder } from "kysely";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";

/** Binds a list as one value, as the other functions here do, by the dialect of the database. */
export function inNumbers(database: Database, values: readonly number[]): RawBuilder<number> {
  return dialectOf(database).inNumbers(values);
}

export function inTexts(database: Database, values: readonly string[]): RawBuilder<string> {
  return dialectOf(database).inTexts(values);
}

export function rowsOf(
  database: Database,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  return dialectOf(database).rowsOf(rows);
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
