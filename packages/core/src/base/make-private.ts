import { closeSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { linkError, NO_FOLLOW, refusePlanted } from "./no-follow.js";

/**
 * Creates an empty file that only its owner can read, or removes the access of others to an
 * existing one. SQLite gives the files that it creates beside a database the same mode.
 * @throws {RiskGateError} CONFIG_INVALID for a symbolic link, or a file that another account
 * created.
 */
export function makePrivate(path: string): void {
  let file: number;
  try {
    file = openSync(path, NO_FOLLOW.append, 0o600);
  } catch (error) {
    throw linkError(path, error);
  }
  try {
    refusePlanted(path, fstatSync(file).uid);
    // Not by path, which may lead to another file by now.
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}
