import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The compiler, as a script for Node. */
export const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

/**
 * A package or an example.
 *
 * @typedef {object} Project
 * @property {string} name Name of its folder.
 * @property {string} path Absolute path.
 * @property {boolean} published
 * @property {Manifest} manifest
 * @property {Entry[]} entries Empty for examples.
 *
 * @typedef {object} Entry
 * @property {string} name Name of its files in `dist`, without extension.
 * @property {string} source Path in the package.
 * @property {boolean} onWeb Has a separate build for runtimes without Node's modules.
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
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/**
 * Lists the projects in a folder of the workspace by name.
 *
 * @param {"packages" | "examples"} folder
 * @returns {Project[]}
 */
export function projectsIn(folder) {
  return readdirSync(join(root, folder))
    .sort()
    .map((name) => ({ name, path: join(root, folder, name) }))
    .filter(({ path }) => existsSync(join(path, "tsconfig.json")))
    .map((project) => {
      const manifest = /** @type {Manifest} */ (readJson(join(project.path, "package.json")));
      const published = manifest.private !== true;
      return { ...project, manifest, published, entries: entriesOf(manifest) };
    });
}

/**
 * Lists what a package exports from a source, and `main` if it has a command: the file in `bin`
 * imports that.
 *
 * @param {Manifest} manifest
 * @returns {Entry[]}
 */
function entriesOf({ exports = {}, bin }) {
  const exported = Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === "object" ? target["riskgate-source"] : undefined;
    if (typeof source !== "string") return [];
    const onWeb = typeof target === "object" && "workerd" in target;
    return { name: subpath === "." ? "index" : subpath.slice(2), source: source.slice(2), onWeb };
  });
  return bin ? [...exported, { name: "main", source: "src/main.ts", onWeb: false }] : exported;
}

/**
 * Parses a JSON file. The caller knows its shape.
 *
 * @param {string} file
 * @returns {unknown}
 */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
