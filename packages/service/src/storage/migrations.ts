import { RiskGateError } from "@riskgate/core";
import type { Kysely } from "kysely";
import type { Database } from "./database.js";
import { createFirstTables } from "./first-tables.js";
import type { Instant } from "./instant.js";

/** One step of the schema; never changed once it was released. */
type Migration = (database: Kysely<unknown>) => Promise<void>;

/** Every migration in order; the version of a database is how many of them it has had. */
const MIGRATIONS: readonly Migration[] = [createFirstTables];

/**
 * Bring the tables up to date.
 *
 * @returns The version they have now.
 * @throws {RiskGateError} CONFIG_INVALID when a later version of the service wrote them.
 */
export async function migrate(database: Database, now: Instant): Promise<number> {
  await database.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("applied_at", "bigint", (column) => column.notNull())
    .execute();
  const newest = await database
    .selectFrom("migrations")
    .select(({ fn }) => fn.max("version").as("version"))
    .executeTakeFirst();
  const version = newest?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `the database has version ${version}, and this service knows versions up to ${MIGRATIONS.length}`,
      { hint: "Run the version of the service that wrote it, or a later one" },
    );
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    await database.transaction().execute(async (transaction) => {
      await migration(transaction as unknown as Kysely<unknown>);
      await transaction
        .insertInto("migrations")
        .values({ version: index + 1, applied_at: now })
        .execute();
    });
  }
  return MIGRATIONS.length;
}
