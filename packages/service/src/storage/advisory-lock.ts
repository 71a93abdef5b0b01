import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";

/** The lock under which a process prepares the tables: an arbitrary unused number. */
const PREPARING = "6020734119032157231";

/** Runs work while no other process prepares the tables. A data directory has only one process. */
export async function withPreparingLock<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (!dialectOf(database).isShared) return work(database);
  return database.connection().execute(async (connection) => {
    try {
      await sql.raw(`select pg_advisory_lock(${PREPARING})`).execute(connection);
      return await work(connection);
    } finally {
      await unlock(connection, sql.raw(`select pg_advisory_unlock(${PREPARING})`));
    }
  });
}

/** More attempts than can fail while there is a connection. */
const MAX_TRIES = 5;

/**
 * Releases a session lock, even if the wait for it was aborted: PostgreSQL may have granted the lock at
 * that moment, and would hold it for the whole session. Retries because the time limit of the aborted
 * statement can abort the next one.
 */
export async function unlock(connection: Database, unlock: RawBuilder<unknown>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await unlock.execute(connection);
      return;
    } catch {
      // Without a connection there is no lock to release.
    }
  }
}
