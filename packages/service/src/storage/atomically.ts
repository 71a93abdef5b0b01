import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** Runs several queries as one, in the current transaction or else in a new one. */
export function atomically<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return database.isTransaction ? work(database) : database.transaction().execute(work);
}

/**
 * The same without waiting for the disk, for work that can be repeated: it survives the process, and
 * a power failure may undo it. The next transaction that waits for the disk writes it, too.
 */
export async function atomicallyUnsynced<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database);
  if (isPostgres(database)) {
    return atomically(database, async (within) => {
      await sql`set local synchronous_commit to off`.execute(within);
      return work(within);
    });
  }
  return database.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await atomically(connection, work);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
