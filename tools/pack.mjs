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
  const { status, stdout, stderr } = spawnSync(
    "npx",
    [
      "--yes",
      "pnpm@10",
      "--recursive",
      "--filter",
      "./packages/**",
      "pack",
      "--pack-destination",
    ].concat(folder),
    {
      cwd: root,
      encoding: "utf8",
      // Inside `npx --package=...`, the inner npx would use this as its option.
      env: { ...process.env, npm_config_package: undefined },
      // On Windows npx is a script, which only a shell can run.
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) throw new Error(`pnpm pack failed:\n${stdout}${stderr}`);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".tgz"))
    .sort()
    .map((file) => join(folder, file));
}
