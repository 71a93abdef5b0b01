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
  return files.flat();
}

/**
 * Whether a module is another package's, or Node's own.
 *
 * @param {string} id
 */
export function isDependency(id) {
  return !id.startsWith(".") && !isAbsolute(id);
}
