import { type RawBuilder, sql } from "kysely";

/** A list as one value, so that lists of every length, also the empty one, share a statement. */
export function inList<T extends string | number>(values: readonly T[]): RawBuilder<T> {
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`;
}
