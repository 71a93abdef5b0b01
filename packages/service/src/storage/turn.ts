import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";

/** The lock that orders the processes of one database; any number that nobody else uses. */
const ORDER = "6020734119032157231";

const statement = (name: string): RawBuilder<unknown> =>
  sql`${sql.raw(`select ${name}(${ORDER})`)}`;

/**
 * Does work between which and the transactions of other processes there is an order: none of them
 * runs meanwhile. On SQLite there are no other processes. The lock goes with the connection.
 */
export async function inTurn<T>(
  database: Database,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (!isPostgres(database)) return work(database);
  return database.connection().execute(async (connection) => {
    await statement("pg_advisory_lock").execute(connection);
    try {
      return await work(connection);
    } finally {
      // Without a connection there is no lock either.
      await statement("pg_advisory_unlock")
        .execute(connection)
        .catch(() => {});
    }
  });
}

/** Waits, at the start of a transaction, until no other process is in one. */
export async function awaitTurn(transaction: Database): Promise<void> {
  if (isPostgres(transaction)) await statement("pg_advisory_xact_lock").execute(transaction);
}
