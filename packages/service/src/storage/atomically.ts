import type { Database } from "./database.js";

/** Do several queries as one, in the transaction that is going on or in one of their own. */
export function atomically<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return database.isTransaction ? work(database) : database.transaction().execute(work);
}
