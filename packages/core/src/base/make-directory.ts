import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Make a directory and those above it, unless they exist. Node's own way to do so never ends where a
 * file system takes no new names, such as /proc.
 *
 * @param mode Permissions of the directories that are made.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  const directory = resolve(path);
  const make = (): Promise<unknown> => mkdir(directory, { mode });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory), mode);
    await make();
  }
}
