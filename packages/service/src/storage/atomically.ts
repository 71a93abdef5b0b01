import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";

/** Runs several queries atomically, in the current transaction or else in a new one. */
export async function atomically<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database);
  return database.transaction().execute(work);
}

/**
 * Does the same without waiting for the disk, for work that can be repeated. The result survives a
 * crash of the process, but a power failure may undo it. The next transaction that waits for the disk
 * syncs it as well.
 */
export async function atomicallyUnsynced<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database);
  return dialectOf(database).unsynced(database, work);
}
