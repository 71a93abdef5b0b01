import { closeSync, fchmodSync, fstatSync, openSync } from "node:fs";
import { linkError, NO_FOLLOW, refusePlanted } from "./no-follow.js";

/**
 * Makes an empty file that only its owner can read, or takes an existing one from all others. What
 * SQLite makes beside a file gets the mode of that file.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a symbolic link or a file that another account has put there.
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
    // Not by its path, which may lead to another file by now.
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}
