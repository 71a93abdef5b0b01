import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { awaitLocks } from "./writer-lock.js";
import type { LockScope } from "./storage.js";

/**
 * Runs several queries atomically, in the current transaction or else in a new one. Other processes
 * cannot change the data it reads before it ends, provided that the data is covered by its lock scope.
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
 * Does the same without waiting for the disk, for work that can be repeated. The result survives a
 * crash of the process, but a power failure may undo it. The next transaction that waits for the disk
 * syncs it as well.
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
