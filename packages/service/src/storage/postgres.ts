import { Kysely, PostgresDialect } from "kysely";
import type { Database } from "./database.js";
import { type ConnectionOptions, PostgresConnection } from "./postgres-connection.js";
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
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connection }) });
}
