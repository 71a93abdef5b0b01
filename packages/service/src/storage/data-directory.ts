import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { makePrivate, makePrivateDirectory, replaceFile } from "@riskgate/core/internal";
import Libsql from "libsql";
import { codeOf } from "./store-error.js";

/** A data directory that belongs to this process until it is released. */
export interface DataDirectory {
  readonly databasePath: string;
  release(this: void): void | Promise<void>;
}

/**
 * Locks a data directory for this process, creating the directory if it does not exist.
 *
 * The lock belongs to the operating system and is held by an open transaction on a separate file. It
 * always ends with the process, so no stale lock remains.
 *
 * @throws {RiskGateError} CONFIG_INVALID if another process holds the lock, STORE_FAILED if the
 * directory is not writable.
 */
export async function takeDataDirectory(path: string): Promise<DataDirectory> {
  const databasePath = join(path, "riskgate.db");
  const holderPath = join(path, "holder.json");
  let lock: Libsql.Database | undefined;
  try {
    // It contains signing secrets and personal data.
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
        { hint: "Stop that process, or use another data directory", cause },
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
    // The holder has the lock but has not yet written its process id.
    return "another process";
  }
}
