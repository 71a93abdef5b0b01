import { PostgresAdapter } from "kysely";

/**
 * Whether a database, or a transaction of one, is PostgreSQL; else it is SQLite. Nearly all SQL is
 * the same for both: where this is asked, they differ.
 */
export function isPostgres(database: { getExecutor(): { readonly adapter: unknown } }): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}
