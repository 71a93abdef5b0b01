import { type RawBuilder, sql } from "kysely";

/** A list as one value, so that lists of every length, also the empty one, share a statement. */
export function inList<T extends string | number>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}

/** Most rows in one statement: with every table's columns well below SQLite's 32,766 values. */
const MAX_ROWS = 1_000;

/** Cut a list into lists short enough for one statement; none for an empty list. */
export function inChunks<T>(list: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < list.length; start += MAX_ROWS) {
    chunks.push(list.slice(start, start + MAX_ROWS));
  }
  return chunks;
}
