import { PostgresAdapter } from "kysely";

/**
 * Returns true if a database or transaction is PostgreSQL, and false if it is SQLite. Nearly all SQL
 * works on both; this check marks the differences.
 */
export function isPostgres(database: { getExecutor(): { readonly adapter: unknown } }): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}
