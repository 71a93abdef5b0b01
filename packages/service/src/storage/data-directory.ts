import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { makePrivate, makePrivateDirectory, replaceFile } from "@riskgate/core/internal";
import Libsql from "libsql";
import { codeOf } from "./store-error.js";

/** A data directory that belongs to this process until it is released. */
export interface DataDirectory {
  /** File of the database. */
  readonly databasePath: string;
  release(): void;
}

/**
 * Locks a data directory for this process, and creates it if it does not exist.
 *
 * The lock is one of the operating system, held by an open transaction on a separate file: it ends
 * with the process in every case, and no stale lock is left behind.
 *
 * @throws {RiskGateError} CONFIG_INVALID when another process holds it, STORE_FAILED when it cannot
 * be written.
 */
export async function takeDataDirectory(path: string): Promise<DataDirectory> {
  const databasePath = join(path, "riskgate.db");
  const holderPath = join(path, "holder.json");
  let lock: Libsql.Database | undefined;
  try {
    // Signing secrets and addresses of people are in it.
    await makePrivateDirectory(path);
    makePrivate(join(path, "lock"));
    lock = new Libsql(join(path, "lock"));
    lock.exec("BEGIN EXCLUSIVE");
    const holder = { pid: process.pid, since: new Date().toISOString() };
    await replaceFile(holderPath, [`${JSON.stringify(holder)}\n`], 0o600);
  } catch (cause) {
    lock?.close();
    if (codeOf(cause) === "SQLITE_BUSY") {
      throw new RiskGateError(
        "CONFIG_INVALID",
        `the data directory ${path} is in use by ${await nameHolder(holderPath)}`,
        { hint: "Stop that process, or give this one another data directory", cause },
      );
    }
    if (isRiskGateError(cause)) throw cause;
    throw new RiskGateError("STORE_FAILED", `the data directory ${path} cannot be written`, {
      cause,
      hint: "Check its permissions and its disk",
    });
  }
  const held = lock;
  return {
    databasePath,
    release() {
      held.exec("ROLLBACK");
      held.close();
    },
  };
}

async function nameHolder(path: string): Promise<string> {
  try {
    const { pid, since } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    return `process ${String(pid)}, since ${String(since)}`;
  } catch {
    // It has the lock and has not yet written its name.
    return "another process";
  }
}
