import { existsSync, lstatSync, readFileSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { NO_FOLLOW, replaceFile } from "@riskgate/core/internal";
import type { EnvChange } from "./env-text.js";
import type { SourceFile } from "./integration.js";

const ENV_FILE = ".env";
const GIT_IGNORE = ".gitignore";

/**
 * Reads the project's `.env`; empty if it does not exist.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it is not a file.
 */
export function readEnvFile(directory: string): string {
  refuseOther(directory, ENV_FILE);
  const file = join(directory, ENV_FILE);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Writes the sources, an `.env` readable by its owner only, and the line that makes git ignore it.
 * @returns The files written, relative to the directory.
 * @throws {RiskGateError} CONFIG_INVALID, before anything is written, if a source already exists,
 * if a path is or leads through a link, if it is not a file, or if git tracks `.env`.
 */
export async function writeFiles(
  directory: string,
  sources: readonly SourceFile[],
  env: EnvChange,
  force: boolean,
): Promise<readonly string[]> {
  const written = sources.map(({ path }) => path);
  for (const path of [...written, ENV_FILE, GIT_IGNORE]) refuseOther(directory, path);
  const known = force ? undefined : written.find((path) => existsSync(join(directory, path)));
  if (known !== undefined) {
    throw new RiskGateError("CONFIG_INVALID", `${known} already exists`, {
      hint: "Run without --write to see the new file, then replace the old one with --force",
    });
  }
  await refuseKept(directory);
  for (const source of sources)
    await writeSource(directory, source, force ? NO_FOLLOW.overwrite : "wx");
  if (env.set.length > 0) {
    const file = join(directory, ENV_FILE);
    await replaceFile(file, [env.text], 0o600);
    written.push(ENV_FILE);
  }
  if (await ignoreEnvFile(directory)) written.push(GIT_IGNORE);
  return written;
}

async function writeSource(
  directory: string,
  { path, text }: SourceFile,
  flag: number | "wx",
): Promise<void> {
  const file = join(directory, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag });
  } catch (cause) {
    throw new RiskGateError("CONFIG_INVALID", `${path} cannot be written`, {
      cause,
      hint: "Check the permissions of the directory",
    });
  }
}

/**
 * Refuses a path that is not a file, or that leads through anything except directories. A link may
 * lead out of the project, to any file that this user can write.
 */
function refuseOther(directory: string, path: string, kind: "file" | "directory" = "file"): void {
  const above = dirname(path);
  if (above !== ".") refuseOther(directory, above, "directory");
  const found = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (!found || (kind === "file" ? found.isFile() : found.isDirectory())) return;
  const other = found.isSymbolicLink() ? "is a symbolic link" : `is not a ${kind}`;
  throw new RiskGateError("CONFIG_INVALID", `${path} ${other}`, {
    hint: `Replace it with a ${kind}, or copy the output of the command without --write`,
  });
}

/** Refuses to write secrets to a file that git tracks, even if it is ignored. */
async function refuseKept(directory: string): Promise<void> {
  if (!UNIGNORED.test(readGitIgnore(directory)) && !(await isTracked(directory))) return;
  throw new RiskGateError("CONFIG_INVALID", `git tracks ${ENV_FILE}, including its secrets`, {
    hint: `Run \`git rm --cached ${ENV_FILE}\` and remove \`!${ENV_FILE}\` from ${GIT_IGNORE}, or set the variables elsewhere`,
  });
}

function isTracked(directory: string): Promise<boolean> {
  // Never runs programs that are named in the repository's settings.
  const args = ["-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", ENV_FILE];
  return new Promise((resolve) => {
    execFile("git", args, { cwd: directory }, (failure) => resolve(failure === null));
  });
}

/** Common patterns that ignore `.env`. */
const IGNORED = /^(?:\*\*\/|\/)?(?:\.env\*?|\*\.env)[ \t]*\r?$/m;

/** Patterns that override them. */
const UNIGNORED = /^!(?:\*\*\/|\/)?(?:\.env\*?|\*\.env)[ \t]*\r?$/m;

function readGitIgnore(directory: string): string {
  const file = join(directory, GIT_IGNORE);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Adds `.env` to the ignored files, even without a repository; returns true if it added a line. */
async function ignoreEnvFile(directory: string): Promise<boolean> {
  const text = readGitIgnore(directory);
  if (IGNORED.test(text)) return false;
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  const flag = NO_FOLLOW.append;
  await appendFile(join(directory, GIT_IGNORE), `${start}${ENV_FILE}\n`, { flag });
  return true;
}
