import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./workspace.mjs";

/**
 * Packs every published package as for the registry, and returns the paths of the tarballs. The
 * packages must be built.
 *
 * @param {string} folder An empty folder.
 * @returns {string[]}
 */
export function pack(folder) {
  // In a script of pnpm, the same pnpm packs: the one whose version is pinned.
  const { npm_execpath: own = "" } = process.env;
  const isPnpm = /pnpm\.[cm]?js$/.test(own);
  const [command, ...before] = isPnpm ? [process.execPath, own] : ["npx", "--yes", "pnpm@10"];
  const { status, stdout, stderr } = spawnSync(
    command,
    [...before, "--recursive", "--filter", "./packages/**", "pack", "--pack-destination", folder],
    {
      cwd: root,
      encoding: "utf8",
      // Inside `npx --package=...`, the inner npx would use this as its option.
      env: { ...process.env, npm_config_package: undefined },
      // On Windows npx is a script, which only a shell can run.
      shell: !isPnpm && process.platform === "win32",
    },
  );
  if (status !== 0) throw new Error(`pnpm pack failed:\n${stdout}${stderr}`);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".tgz"))
    .sort()
    .map((file) => join(folder, file));
}
