import { constants, lstatSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RiskGateError } from "./errors.js";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_TRUNC, O_WRONLY } = constants;

/**
 * Flags that create or open a file, and fail if its path is a symbolic link: in a directory that
 * others can write to, a link may lead to any file of this account. Windows has no such flag, and
 * lets only administrators create links.
 */
export const NO_FOLLOW: Readonly<Record<"append" | "appendAndRead" | "overwrite", number>> = {
  append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW,
  appendAndRead: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
  overwrite: O_WRONLY | O_TRUNC | O_CREAT | O_NOFOLLOW,
};

/**
 * Opens a file for appending and reading, and creates it if it does not exist.
 * @throws {RiskGateError} CONFIG_INVALID for a link, or a file that {@link refusePlanted} refuses.
 */
export async function openToAppend(path: string, mode: number): Promise<FileHandle> {
  const file = await open(path, NO_FOLLOW.appendAndRead, mode).catch((error: unknown) => {
    throw linkError(path, error);
  });
  try {
    refusePlanted(path, (await file.stat()).uid);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns an error with advice if a file was not opened because its path is a link. */
export function linkError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // FreeBSD returns EMLINK.
  if (code !== "ELOOP" && code !== "EMLINK") return error;
  return new RiskGateError("CONFIG_INVALID", `${path} is a symbolic link`, {
    cause: error,
    hint: "Remove it if another account made it; otherwise pass the path of the file itself",
  });
}

/**
 * Refuses a file, directory or link that another account created in a directory that everybody can
 * write to.
 * @param uid Its owner; by default that of the path itself, not of a link's target.
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function refusePlanted(path: string, uid: number = lstatSync(path).uid): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own || uid === 0) return;
  const isShared = (statSync(dirname(resolve(path))).mode & 0o002) !== 0;
  if (!isShared) return;
  throw new RiskGateError("CONFIG_INVALID", `${path} belongs to another account`, {
    hint: "Choose a directory in which only this account can create files",
  });
}
