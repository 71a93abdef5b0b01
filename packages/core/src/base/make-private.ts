import { chmodSync, closeSync, openSync } from "node:fs";

/**
 * Makes an empty file that only its owner can read, or takes an existing one from all others. What
 * SQLite makes beside a file gets the mode of that file.
 */
export function makePrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
