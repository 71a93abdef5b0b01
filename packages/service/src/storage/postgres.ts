import { Kysely, PostgresAdapter, PostgresDialect } from "kysely";
import type { Database } from "./database.js";
import { type ConnectionOptions, PostgresConnection } from "./postgres-connection.js";
import { postgres } from "./postgres-dialect.js";
import type { Schema } from "./schema.js";

export type PostgresOptions = Omit<ConnectionOptions, "url">;

/**
 * Opens a PostgreSQL database over a single connection.
 *
 * @param url `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=file`
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const connection = new PostgresConnection({ url, ...options });
  await connection.open();
  const database = new Kysely<Schema>({ dialect: new Dialect({ pool: connection }) });
  // Kysely ends only what it has used.
  await database.connection().execute(() => Promise.resolve());
  return database;
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter();
  }
}

class Adapter extends PostgresAdapter {
  readonly dialect = postgres;
}
