import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivate } from "@riskgate/core/internal";
import Libsql from "libsql";
import type { DataDirectory } from "./data-directory.js";
import { storeError } from "./store-error.js";

const PREFIX = "snapshot-";

/**
 * Writes the database of a data directory, as it is at this moment, to a file in a private folder of the
 * directory. A service that uses the directory continues to read and write.
 *
 * @returns The folder, which `release` removes.
 * @throws {RiskGateError} STORE_FAILED, for example if the disk is full.
 */
export async function takeSnapshot(dataDir: string): Promise<DataDirectory> {
  for (const name of await readdir(dataDir)) {
    // Of a copy that was killed.
    if (name.startsWith(PREFIX)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(dataDir, PREFIX));
  const databasePath = join(folder, "riskgate.db");
  const release = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    makePrivate(databasePath);
    const database = new Libsql(join(dataDir, "riskgate.db"), { readonly: true });
    try {
      database.prepare("vacuum into ?").run(databasePath);
    } finally {
      database.close();
    }
  } catch (error) {
    await release();
    throw storeError(error);
  }
  return { databasePath, release };
}
