import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { refusePlanted } from "./no-follow.js";

/**
 * Creates a directory and its missing parents. Node's recursive `mkdir` never ends on a file system
 * that accepts no new names, such as /proc.
 * @param mode Permissions of new directories.
 * @returns Whether the directory was created.
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<boolean> {
  const directory = resolve(path);
  const make = (): Promise<unknown> => mkdir(directory, { mode });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "ENOENT" || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory), mode);
    await make();
  }
  return true;
}

/**
 * Creates a directory for secrets and personal data, readable by its owner only and ignored by git.
 * @throws {RiskGateError} CONFIG_INVALID if it exists and {@link refusePlanted} refuses it.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  if (await makeDirectory(path, 0o700)) {
    await writeFile(join(path, ".gitignore"), "*\n", { flag: "wx" });
  } else refusePlanted(path);
}
