import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { awaitTurn } from "./turn.js";

/**
 * Runs several queries as one, in the current transaction or else in a new one. There is one at a
 * time, whatever process runs it, so that what it has read stays true until its end.
 */
export async function atomically<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database);
  return database.transaction().execute(async (within) => {
    await awaitTurn(within);
    return work(within);
  });
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
