import { RiskGateError } from "@riskgate/core";
import { type Migration, Migrator, sql } from "kysely";
import type { Database } from "./database.js";
import { storeError } from "./store-error.js";
import { addLabels, addRevision, addVersion, createTables, divideByDays } from "./tables.js";

/** Every migration, sorted by name. Never change a migration after its release. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_tables": { up: createTables },
  "0002_days": { up: divideByDays },
  "0003_detection": { up: addRevision },
  "0004_labels": { up: addLabels },
  "0005_versions": { up: addVersion },
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/**
 * Migrates the tables to the current version: all of them or, if a migration fails, none.
 *
 * @throws {RiskGateError} CONFIG_INVALID if another version of the service wrote them.
 */
export async function migrate(database: Database): Promise<void> {
  const executed = await executedMigrations(database);
  const unknown = executed.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown !== undefined) throw otherVersion(unknown, executed);
  const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
  const { error } = await new Migrator({
    db: database,
    provider,
    // Kysely would check the order of their timestamps, but a clock can be set back.
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error !== undefined) throw storeError(error);
}

export async function executedMigrations(database: Database): Promise<readonly string[]> {
  if (!(await isMigrated(database))) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name
  `.execute(database);
  return rows.map(({ name }) => name);
}

/** Returns true if a database has the tables of any version of the service. */
export async function isMigrated(database: Database): Promise<boolean> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === "kysely_migration");
}

function otherVersion(unknown: string, executed: readonly string[]): RiskGateError {
  const isLater = MIGRATION_NAMES.every((name) => executed.includes(name));
  return isLater
    ? new RiskGateError(
        "CONFIG_INVALID",
        `the database has migration ${unknown}, but this version knows migrations only up to ${MIGRATION_NAMES.at(-1)}`,
        {
          hint: "Run the version of the service that wrote it, or a newer one; if another program wrote it, give the service a separate database",
        },
      )
    : new RiskGateError(
        "CONFIG_INVALID",
        `a version before 0.1.0 created the database: it has migration ${unknown}`,
        { hint: "Start with an empty data directory or database, and keep the old one as a copy" },
      );
}
