import { existsSync, lstatSync, readFileSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { replaceFile } from "@riskgate/core/adapter";
import type { EnvChange } from "./env-text.js";
import type { Integration } from "./integration.js";

const ENV_FILE = ".env";
const GIT_IGNORE = ".gitignore";

/** The text of the project's `.env`; empty where there is none. */
export function readEnvFile(directory: string): string {
  const file = join(directory, ENV_FILE);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Write the integration, `.env` for its owner alone, and the line that keeps it out of git.
 *
 * @returns The files written, relative to the directory.
 * @throws {RiskGateError} CONFIG_INVALID when the integration is there already, or one of the files is
 * a link; nothing is written then.
 */
export async function writeFiles(
  directory: string,
  { path, text }: Integration,
  env: EnvChange,
  force: boolean,
): Promise<readonly string[]> {
  for (const name of [path, ENV_FILE, GIT_IGNORE]) refuseLink(directory, name);
  const written = [path];
  try {
    await writeFile(join(directory, path), text, { flag: force ? "w" : "wx" });
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new RiskGateError(
      "CONFIG_INVALID",
      isThere ? `${path} is there already` : `${path} cannot be written`,
      {
        cause,
        hint: isThere
          ? "Look at what would replace it without --write, then replace it with --force"
          : "Check the permissions of the directory",
      },
    );
  }
  if (env.set.length > 0) {
    const file = join(directory, ENV_FILE);
    await replaceFile(file, [env.text], 0o600);
    written.push(ENV_FILE);
  }
  if (await ignoreEnvFile(directory)) written.push(GIT_IGNORE);
  return written;
}

/** What a link leads to is not of this project: it may be anything that this user can write. */
function refuseLink(directory: string, name: string): void {
  if (!lstatSync(join(directory, name), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new RiskGateError("CONFIG_INVALID", `${name} is a symbolic link`, {
    hint: "Put a file in its place, or write there yourself what the command shows without --write",
  });
}

/** What ignores `.env`, in the forms that are common. */
const IGNORED = /^(?:\*\*\/|\/)?(?:\.env\*?|\*\.env)[ \t]*\r?$/m;

/** Keep `.env` out of git; whether that took a new line. */
async function ignoreEnvFile(directory: string): Promise<boolean> {
  if (!isInWorkTree(directory)) return false;
  const file = join(directory, GIT_IGNORE);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (IGNORED.test(text)) return false;
  await appendFile(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${ENV_FILE}\n`);
  return true;
}

function isInWorkTree(directory: string): boolean {
  if (existsSync(join(directory, ".git"))) return true;
  const above = dirname(directory);
  return above !== directory && isInWorkTree(above);
}
