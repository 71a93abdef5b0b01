import { open, rename, rm, writeFile } from "node:fs/promises";

/**
 * Replaces a file: a reader finds the old content or the new one, also after a crash.
 *
 * @param data Bytes, or pieces of text that are written one after the other.
 * @param mode Permissions of the file.
 */
export async function replaceFile(
  path: string,
  data: Uint8Array | Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, "w", mode);
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
}
