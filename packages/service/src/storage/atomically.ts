import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { awaitLocks } from "./writer-lock.js";
import type { LockScope } from "./storage.js";

/**
 * Runs several queries as one, in the current transaction or else in a new one. What it has read stays
 * true until its end, whatever other processes do, as long as it keeps to its concern.
 */
export async function atomically<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
  scope: LockScope = "anything",
): Promise<T> {
  if (database.isTransaction) return work(database);
  return database.transaction().execute(async (within) => {
    await awaitLocks(within, scope);
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
  scope: LockScope = "anything",
): Promise<T> {
  if (database.isTransaction) return work(database);
  if (isPostgres(database)) {
    const unsynced = async (within: Database): Promise<T> => {
      await sql`set local synchronous_commit to off`.execute(within);
      return work(within);
    };
    return atomically(database, unsynced, scope);
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
