import { PostgresAdapter } from "kysely";

/**
 * Returns true if a database or transaction is PostgreSQL, and false if it is SQLite. Call it when the
 * two need different SQL, which is rare.
 */
export function isPostgres(database: { getExecutor(): { readonly adapter: unknown } }): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}
