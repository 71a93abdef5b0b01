import { Kysely, PostgresDialect } from "kysely";
import type { Database } from "./database.js";
import { type ConnectionOptions, PostgresConnection } from "./postgres-connection.js";
import { postgresError } from "./postgres-error.js";
import type { Schema } from "./schema.js";

/** Settings of {@link openPostgres}. */
export interface PostgresOptions extends Pick<ConnectionOptions, "times" | "onTakenOver"> {
  /** Makes the tables, or brings them up to date. */
  readonly prepare: (database: Database) => Promise<void>;
}

/**
 * Opens a database of PostgreSQL for this process alone.
 *
 * @param url `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=file`
 */
export async function openPostgres(
  url: string,
  { prepare, times, onTakenOver }: PostgresOptions,
): Promise<Database> {
  const connection = new PostgresConnection({ url, isExclusive: true, times, onTakenOver });
  await connection.open();
  const database = databaseOver(connection);
  try {
    await prepare(database);
    await connection.sign();
    return database;
  } catch (error) {
    await database.destroy();
    throw postgresError(error);
  }
}

/** Opens a database of PostgreSQL to look at it, whoever uses it. */
export async function lookAtPostgres(url: string): Promise<Database> {
  const connection = new PostgresConnection({ url, isExclusive: false });
  await connection.open();
  return databaseOver(connection);
}

function databaseOver(connection: PostgresConnection): Database {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connection }) });
}
