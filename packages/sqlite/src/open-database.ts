import { dirname } from "node:path";
import { makePrivateDirectory, openToAppend } from "@riskgate/core/internal";
import Libsql from "libsql";

/**
 * Opens a database that several processes may share, and creates it if missing. Only its owner can
 * read it.
 *
 * @param makeTables Creates the tables that are missing.
 * @throws {RiskGateError} CONFIG_INVALID for a link, or a file of another account.
 */
export async function openDatabase(
  path: string,
  makeTables: (database: Libsql.Database) => void,
): Promise<Libsql.Database> {
  await makePrivateDirectory(dirname(path));
  // SQLite gives its companion files the permissions of this one.
  await (await openToAppend(path, 0o600)).close();
  const database = new Libsql(path);
  try {
    database.pragma("journal_mode = WAL");
    // A power failure may lose the latest changes, but cannot corrupt the file.
    database.pragma("synchronous = NORMAL");
    makeTables(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
