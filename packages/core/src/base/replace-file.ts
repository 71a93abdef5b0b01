import { randomBytes } from "node:crypto";
import { lstat, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Age at which a temporary file must be left over from a crash. */
const LEFT_MS = 24 * 60 * 60 * 1000;

const RANDOM = /^[0-9a-f]{24}$/;

/**
 * Replaces a file atomically: a reader finds the old content or the new one, even after a crash. A
 * symbolic link is itself replaced; its target stays unchanged.
 * @param data Bytes, or pieces of text that are written in sequence.
 * @param mode Permissions of the file.
 */
export async function replaceFile(
  path: string,
  data: Uint8Array | Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  // Others cannot put a link under a name that they cannot guess, and "wx" would not follow it.
  const temporary = `${path}.${randomBytes(12).toString("hex")}.tmp`;
  const file = await open(temporary, "wx", mode);
  try {
    try {
      await writeFile(file, data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await removeLeft(path);
}

/** Removes temporary files that crashed processes left; they must not fill the disk. */
async function removeLeft(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  try {
    for (const name of await readdir(dirname(path))) {
      if (!name.startsWith(start) || !name.endsWith(".tmp")) continue;
      if (!RANDOM.test(name.slice(start.length, -".tmp".length))) continue;
      const left = join(dirname(path), name);
      if (Date.now() - (await lstat(left)).mtimeMs > LEFT_MS) await rm(left, { force: true });
    }
  } catch {
    // The directory cannot be listed, or another process has removed the file.
  }
}
