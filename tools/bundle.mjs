import { isAbsolute, join } from "node:path";
import { build } from "rolldown";
import { markPure } from "./mark-pure.mjs";

/**
 * Bundles the entries of a package as ES modules, as CommonJS and, for runtimes without Node's
 * modules, as ES modules from sources named `*.web.ts`. Code that several entries use is in
 * `shared`; dependencies stay imports.
 *
 * @param {import("./workspace.mjs").Project} project
 * @returns {Promise<{ file: string, text: string }[]>} The files of `dist`.
 */
export async function bundle({ path, entries }) {
  const onWeb = entries.filter((entry) => entry.onWeb);
  const flavours = [flavour(path, entries, "es", "js"), flavour(path, entries, "cjs", "cjs")];
  if (onWeb.length > 0) flavours.push(flavour(path, onWeb, "es", "worker.js"));
  const built = await build(flavours);
  return built.flatMap(({ output }) =>
    output.map((part) => ({
      file: part.fileName,
      text: part.type === "chunk" ? part.code : String(part.source),
    })),
  );
}

/**
 * @param {string} path
 * @param {readonly import("./workspace.mjs").Entry[]} entries
 * @param {"es" | "cjs"} format
 * @param {"js" | "cjs" | "worker.js"} extension
 * @returns {import("rolldown").BuildOptions}
 */
function flavour(path, entries, format, extension) {
  const isWeb = extension === "worker.js";
  return {
    input: Object.fromEntries(entries.map(({ name, source }) => [name, join(path, source)])),
    platform: isWeb ? "browser" : "node",
    external: isDependency,
    resolve: isWeb ? { extensionAlias: { ".js": [".web.ts", ".ts"] } } : {},
    write: false,
    // A busy machine makes any plugin slow.
    checks: { bundlerTimings: false },
    output: {
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
    },
  };
}

/**
 * Returns true for a module of another package or of Node.
 *
 * @param {string} id
 */
export function isDependency(id) {
  return !id.startsWith(".") && !isAbsolute(id);
}
