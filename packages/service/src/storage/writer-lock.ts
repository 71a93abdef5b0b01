import type { LockScope } from "./storage.js";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** The lock that orders what follows from reports; any number that nobody else uses. */
const REPORTS = "6020734119032157231";

/** The lock that keeps all other changes apart from sending; another such number. */
const DISPATCH = "6020734119032157232";

const LOCKS: Readonly<Record<LockScope, string>> = {
  reports: `select pg_advisory_xact_lock(${REPORTS})`,
  dispatch: `select pg_advisory_xact_lock_shared(${DISPATCH})`,
  anything: `select pg_advisory_xact_lock(${REPORTS}), pg_advisory_xact_lock(${DISPATCH})`,
};

const statement = (name: string): RawBuilder<unknown> =>
  sql`${sql.raw(`select ${name}(${REPORTS})`)}`;

/**
 * Does work about reports between which and that of other processes there is an order: none of it
 * runs meanwhile. On SQLite there are no other processes. The lock goes with the connection.
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

/** More tries than can fail where there is a connection. */
const MAX_TRIES = 5;

/**
 * Gives a lock of the session back, also where it was not waited for any longer: PostgreSQL may have granted it in
 * that moment, and keeps it for the session. The time limit of that statement can end the next one.
 */
export async function unlock(connection: Database, unlock: RawBuilder<unknown>): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      await unlock.execute(connection);
      return;
    } catch {
      // Without a connection there is no lock either.
    }
  }
}

/** Waits, at the start of a transaction, until no other process is in one that it must not meet. */
export async function awaitLocks(transaction: Database, scope: LockScope): Promise<void> {
  if (isPostgres(transaction)) await sql.raw(LOCKS[scope]).execute(transaction);
}
