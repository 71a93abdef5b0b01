import { existsSync, lstatSync, readFileSync } from "node:fs";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { replaceFile } from "@riskgate/core/internal";
import type { EnvChange } from "./env-text.js";
import type { SourceFile } from "./integration.js";

const ENV_FILE = ".env";
const GIT_IGNORE = ".gitignore";

/**
 * The text of the project's `.env`; empty where there is none.
 *
 * @throws {RiskGateError} CONFIG_INVALID where it is no file.
 */
export function readEnvFile(directory: string): string {
  refuseOther(directory, ENV_FILE);
  const file = join(directory, ENV_FILE);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Write the sources, `.env` for its owner alone, and the line that keeps it out of git.
 *
 * @returns The files written, relative to the directory.
 * @throws {RiskGateError} CONFIG_INVALID when one of the sources is there already, when one of the files
 * is a link, behind one or no file, and when git keeps `.env`; nothing is written then.
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
    throw new RiskGateError("CONFIG_INVALID", `${known} is there already`, {
      hint: "Look at what would replace it without --write, then replace it with --force",
    });
  }
  await refuseKept(directory);
  for (const source of sources) await writeSource(directory, source, force ? "w" : "wx");
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
  flag: "w" | "wx",
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
 * Refuse a path at which something else is than a file, or that leads through something else than
 * directories. What a link leads to is not of this project: it may be anything that this user can write.
 */
function refuseOther(directory: string, path: string, kind: "file" | "directory" = "file"): void {
  const above = dirname(path);
  if (above !== ".") refuseOther(directory, above, "directory");
  const found = lstatSync(join(directory, path), { throwIfNoEntry: false });
  if (!found || (kind === "file" ? found.isFile() : found.isDirectory())) return;
  const other = found.isSymbolicLink() ? "is a symbolic link" : `is no ${kind}`;
  throw new RiskGateError("CONFIG_INVALID", `${path} ${other}`, {
    hint: `Put a ${kind} in its place, or write there yourself what the command shows without --write`,
  });
}

/** Refuse to write secrets into a file that goes into the next commit, whatever is ignored. */
async function refuseKept(directory: string): Promise<void> {
  if (!UNIGNORED.test(readGitIgnore(directory)) && !(await isTracked(directory))) return;
  throw new RiskGateError("CONFIG_INVALID", `git keeps ${ENV_FILE}, and its secrets with it`, {
    hint: `Run \`git rm --cached ${ENV_FILE}\` and take \`!${ENV_FILE}\` out of ${GIT_IGNORE}, or set the variables elsewhere`,
  });
}

function isTracked(directory: string): Promise<boolean> {
  // No program that the settings of a repository name is run.
  const args = ["-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", ENV_FILE];
  return new Promise((resolve) => {
    execFile("git", args, { cwd: directory }, (failure) => resolve(failure === null));
  });
}

/** What ignores `.env`, in the forms that are common. */
const IGNORED = /^(?:\*\*\/|\/)?(?:\.env\*?|\*\.env)[ \t]*\r?$/m;

/** What has git keep it all the same. */
const UNIGNORED = /^!(?:\*\*\/|\/)?(?:\.env\*?|\*\.env)[ \t]*\r?$/m;

function readGitIgnore(directory: string): string {
  const file = join(directory, GIT_IGNORE);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Keep `.env` out of git, also where there is no repository yet; whether that took a new line. */
async function ignoreEnvFile(directory: string): Promise<boolean> {
  const text = readGitIgnore(directory);
  if (IGNORED.test(text)) return false;
  const start = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(join(directory, GIT_IGNORE), `${start}${ENV_FILE}\n`);
  return true;
}
