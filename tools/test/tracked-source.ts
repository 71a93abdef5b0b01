import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspace.mjs";

/** A file in git, with its text. */
export interface TrackedFile {
  /** Path in the repository. */
  readonly path: string;
  readonly text: string;
}

/** Reads the files in git (ignored and deleted ones excepted) whose path matches. */
export function trackedFiles(pattern: RegExp): TrackedFile[] {
  return execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => pattern.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Counts lines as `wc -l` does for a text that ends in a line break. */
export const linesOf = (text: string): number => text.trimEnd().split("\n").length;

/** Returns the package of a path: `core` for `packages/core/src/index.ts`. */
export const packageOf = (path: string): string => path.split("/")[1] ?? "";

/** Returns the folder of a source below `src`, or undefined for a file directly in `src`. */
export const folderOf = (path: string): string | undefined =>
  /^packages\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1];
