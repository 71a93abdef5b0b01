import { RiskGateError } from "@riskgate/core";
import { takeDataDirectory } from "./data-directory.js";
import { type Database, openDatabase } from "./database.js";
import { checkDatabase } from "./database-check.js";
import { type Clock, systemClock } from "./instant.js";
import { Leases } from "./leases.js";
import { migrate } from "./migrations.js";
import type { Storage } from "./storage.js";
import { isDamage, storeError } from "./store-error.js";
import { createTables } from "./tables/tables.js";

/** Options of {@link openStorage}. */
export interface StorageOptions {
  /** What stamps the entries; default the time of this machine. */
  readonly clock?: Clock;
  /** Most bytes of the database; then it behaves as on a full disk. Default no limit. */
  readonly maxBytes?: number;
}

/**
 * Open the data directory, and make it if there is none.
 *
 * @throws {RiskGateError} CONFIG_INVALID when another process holds it, or its database is damaged or
 * was written by a later version; STORE_FAILED when it cannot be read or written.
 */
export async function openStorage(
  dataDir: string,
  { clock = systemClock, maxBytes }: StorageOptions = {},
): Promise<Storage> {
  const directory = await takeDataDirectory(dataDir);
  let database: Database | undefined;
  try {
    database = openDatabase({ path: directory.databasePath, maxBytes });
    await checkDatabase(database);
    await migrate(database, clock());
  } catch (error) {
    await database?.destroy();
    directory.release();
    throw openingError(error, directory.databasePath);
  }
  const opened = database;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await opened.destroy();
    directory.release();
  };
  return { ...createTables(opened, clock, new Leases()), close: () => (closing ??= close()) };
}

function openingError(error: unknown, path: string): RiskGateError {
  const cause = error instanceof RiskGateError ? (error.cause ?? error) : error;
  if (!isDamage(cause)) return storeError(error);
  return new RiskGateError("CONFIG_INVALID", `the database ${path} is damaged`, {
    cause,
    hint: "Restore a backup, or move the file away to start with an empty database",
  });
}
