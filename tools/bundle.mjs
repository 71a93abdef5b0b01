import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { rolldown } from "rolldown";
import { markPure } from "./mark-pure.mjs";

/** The two flavours of a package, by the extension of their files. */
const FLAVOURS = /** @type {const} */ ([
  ["es", "js"],
  ["cjs", "cjs"],
]);

/**
 * Bundle the entries of a package, as ES modules and as CommonJS. What several entries use is in
 * `shared.js`; dependencies stay imports.
 *
 * @param {import("./workspace.mjs").Project} project
 * @returns {Promise<{ file: string, text: string }[]>} What belongs into `dist`.
 */
export async function bundle({ path, entries }) {
  const input = Object.fromEntries(entries.map(({ name, source }) => [name, join(path, source)]));
  const build = await rolldown({ input, platform: "node", external: isDependency });
  const web = entries.filter(({ onWeb }) => onWeb);
  const files = await Promise.all(
    FLAVOURS.map(async ([format, extension]) => {
      const { output } = await build.generate({
        dir: join(path, "dist"),
        format,
        entryFileNames: `[name].${extension}`,
        chunkFileNames: `[name].${extension}`,
        codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
        // Jest, for one, has no `import()` in CommonJS.
        dynamicImportInCjs: false,
        // The sources are shipped, and the types carry their comments.
        sourcemap: true,
        sourcemapExcludeSources: true,
        comments: { jsdoc: false },
        plugins: format === "es" ? [markPure()] : [],
      });
      return output.map((part) => ({
        file: part.fileName,
        text: part.type === "chunk" ? part.code : String(part.source),
      }));
    }),
  );
  await build.close();
  return [...files.flat(), ...(web.length > 0 ? await bundleWeb(path, web) : [])];
}

/**
 * Bundle entries once more for runtimes without Node's modules: a source `name.web.ts` stands in for
 * its neighbour `name.ts`.
 *
 * @param {string} path
 * @param {import("./workspace.mjs").Entry[]} entries
 */
async function bundleWeb(path, entries) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map(({ name, source }) => [name, join(path, source)])),
    platform: "browser",
    external: isDependency,
    plugins: [webSources()],
  });
  const { output } = await build.generate({
    dir: join(path, "dist"),
    format: "es",
    entryFileNames: "[name].worker.js",
    chunkFileNames: "[name].worker.js",
    codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] },
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { jsdoc: false },
    plugins: [markPure()],
  });
  await build.close();
  return output.map((part) => ({
    file: part.fileName,
    text: part.type === "chunk" ? part.code : String(part.source),
  }));
}

/**
 * Resolves relative imports to the source for the Web, where there is one.
 *
 * @returns {import("rolldown").Plugin}
 */
export function webSources() {
  return {
    name: "web-sources",
    async resolveId(specifier, importer, options) {
      if (isDependency(specifier)) return undefined;
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      const web = found?.id.replace(/\.ts$/, ".web.ts");
      // The source for the Web may build upon the one that it stands in for.
      return web !== undefined && web !== importer && existsSync(web) ? web : found;
    },
  };
}

/**
 * Whether a module is another package's, or Node's own.
 *
 * @param {string} id
 */
export function isDependency(id) {
  return !id.startsWith(".") && !isAbsolute(id);
}
