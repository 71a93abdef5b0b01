import type { LockScope } from "./storage.js";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** The lock that orders the processing of reports: an arbitrary unused number. */
const REPORTS = "6020734119032157231";

/** The lock that separates all other changes from sending; another unused number. */
const DISPATCH = "6020734119032157232";

const LOCKS: Readonly<Record<LockScope, string>> = {
  reports: `select pg_advisory_xact_lock(${REPORTS})`,
  dispatch: `select pg_advisory_xact_lock_shared(${DISPATCH})`,
  anything: `select pg_advisory_xact_lock(${REPORTS}), pg_advisory_xact_lock(${DISPATCH})`,
};

const statement = (name: string): RawBuilder<unknown> =>
  sql`${sql.raw(`select ${name}(${REPORTS})`)}`;

/**
 * Runs work on reports while no other process runs any. On SQLite there are no other processes. If the
 * connection closes, the lock is released.
 */
export async function withWriterLock<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (!isPostgres(database)) return work(database);
  return database.connection().execute(async (connection) => {
    try {
      await statement("pg_advisory_lock").execute(connection);
      return await work(connection);
    } finally {
      await unlock(connection, statement("pg_advisory_unlock"));
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

/** Waits, at the start of a transaction, until no conflicting transaction of another process is open. */
export async function awaitLocks(transaction: Database, scope: LockScope): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(LOCKS[scope]).execute(transaction);
}
