import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./workspace.mjs";

/**
 * Packs every published package as for the registry, and returns the paths of the tarballs. The
 * packages must be built.
 *
 * @param {string} folder An empty folder.
 * @returns {Promise<string[]>}
 */
export async function pack(folder) {
  // In a script of pnpm, the same pnpm packs: the one whose version is pinned.
  const { npm_execpath: own = "" } = process.env;
  const isPnpm = /pnpm\.[cm]?js$/.test(own);
  const [command, ...before] = isPnpm ? [process.execPath, own] : ["npx", "--yes", "pnpm@10"];
  // An error has the output in its message.
  await promisify(execFile)(
    command,
    [...before, "--recursive", "--filter", "./packages/**", "pack", "--pack-destination", folder],
    {
      cwd: root,
      maxBuffer: 64 * 1024 ** 2,
      // Inside `npx --package=...`, the inner npx would use this as its option.
      env: { ...process.env, npm_config_package: undefined },
      // On Windows npx is a script, which only a shell can run.
      shell: !isPnpm && process.platform === "win32",
    },
  );
  return readdirSync(folder)
    .filter((file) => file.endsWith(".tgz"))
    .sort()
    .map((file) => join(folder, file));
}
