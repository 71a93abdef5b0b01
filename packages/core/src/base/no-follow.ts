import { constants, lstatSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RiskGateError } from "./errors.js";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_TRUNC, O_WRONLY } = constants;

/**
 * Flags that create a file or open it, and fail if its path is a symbolic link: in a directory that
 * others can write to, a link may lead to any file of this account. Windows has no such flag, and lets
 * only administrators make links.
 */
export const NO_FOLLOW: Readonly<Record<"append" | "appendAndRead" | "overwrite", number>> = {
  append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW,
  appendAndRead: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
  overwrite: O_WRONLY | O_TRUNC | O_CREAT | O_NOFOLLOW,
};

/**
 * Opens a file to append to it and to read it, and creates it if it does not exist.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a link, and for a file that {@link refusePlanted} refuses.
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

/** Returns an error that says what to do if a file was not opened because its path is a link. */
export function linkError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // The second is the code of FreeBSD.
  if (code !== "ELOOP" && code !== "EMLINK") return error;
  return new RiskGateError("CONFIG_INVALID", `${path} is a symbolic link`, {
    cause: error,
    hint: "Remove it if another account made it; otherwise pass the path of the file itself",
  });
}

/**
 * Refuses a file, a directory or a link that another account has made in a directory in which
 * everybody can create files.
 *
 * @param uid Its owner; by default that of the path itself, not of the target of a link.
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
