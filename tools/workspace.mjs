import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Script of the compiler, which node can run. */
export const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

/**
 * One package or example with sources.
 *
 * @typedef {object} Project
 * @property {string} name Folder name.
 * @property {string} path Absolute path.
 * @property {boolean} published Goes to the registry.
 * @property {Manifest} manifest
 * @property {Entry[]} entries What can be imported or run; the examples have none.
 *
 * @typedef {object} Entry
 * @property {string} name Of its files in `dist`, without extension.
 * @property {string} source Path in the package.
 * @property {boolean} onWeb Has a build of its own for runtimes without Node's modules.
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} [description]
 * @property {boolean} [private]
 * @property {string} [main]
 * @property {Record<string, string | Record<string, unknown>>} [exports]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * Projects under a folder of the workspace, sorted by name. A folder without sources is left out:
 * the compiler takes an empty project for a mistake.
 *
 * @param {"packages" | "examples"} folder
 * @returns {Project[]}
 */
export function projectsIn(folder) {
  const parent = join(root, folder);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .sort()
    .map((name) => ({ name, path: join(parent, name) }))
    .filter(({ path }) => existsSync(join(path, "tsconfig.json")) && sourcesOf(path).length > 0)
    .map((project) => {
      const manifest = /** @type {Manifest} */ (readJson(join(project.path, "package.json")));
      const published = manifest.private !== true;
      return { ...project, manifest, published, entries: entriesOf(manifest) };
    });
}

/**
 * Entries of a package: what it exports from a source, and `main` where it has a command, whose file
 * in `bin` imports that.
 *
 * @param {Manifest} manifest
 * @returns {Entry[]}
 */
function entriesOf({ exports = {}, bin = {} }) {
  const exported = Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === "object" ? target["riskgate-source"] : undefined;
    if (typeof source !== "string") return [];
    const onWeb = typeof target === "object" && "workerd" in target;
    return { name: subpath === "." ? "index" : subpath.slice(2), source: source.slice(2), onWeb };
  });
  const main = { name: "main", source: "src/main.ts", onWeb: false };
  return Object.keys(bin).length > 0 ? [...exported, main] : exported;
}

/**
 * Parse a file of JSON; the caller knows its shape.
 *
 * @param {string} file
 * @returns {unknown}
 */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * TypeScript sources of a project, relative to its `src`.
 *
 * @param {string} path
 * @returns {string[]}
 */
export function sourcesOf(path) {
  const src = join(path, "src");
  if (!existsSync(src)) return [];
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
}
