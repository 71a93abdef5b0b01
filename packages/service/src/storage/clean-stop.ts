import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Notes that a database file was closed properly, as it is now. */
export function noteCleanStop(path: string): void {
  try {
    writeFileSync(noteOf(path), stateOf(path), { mode: 0o600 });
  } catch {
    // On a full disk there is no note, and the next start checks the file.
  }
}

/**
 * Returns true if a database file is as it was when it was closed properly: then a start need not read
 * all of it to find damage. Removes the note, because the file changes from now on.
 */
export function takeCleanStop(path: string): boolean {
  try {
    const noted = readFileSync(noteOf(path), "utf8");
    rmSync(noteOf(path));
    return noted === stateOf(path);
  } catch {
    return false;
  }
}

function noteOf(path: string): string {
  return `${path}.closed`;
}

/** The identity of a file's content, as far as the file system knows it. */
function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}
