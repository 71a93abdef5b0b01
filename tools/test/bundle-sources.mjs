import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { isDependency } from "../bundle.mjs";
import { root } from "../workspace.mjs";

/**
 * Bundles internal sources of a package into one ES module that Node can load, for tests and
 * measurements of code that the package does not export.
 *
 * @param {string} name Folder of the package.
 * @param {...string} sources Paths in its `src`.
 * @returns {Promise<string>} URL of a module with the exports of all of them.
 */
export async function bundleSources(name, ...sources) {
  const path = join(root, "packages", name);
  const entry = sources.map((source) => `export * from "./src/${source}";`).join("\n");
  const build = await rolldown({
    input: "entry",
    cwd: path,
    platform: "node",
    external: (id) => id !== "entry" && isDependency(id),
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? join(path, "entry.ts") : undefined),
        load: (id) => (id === join(path, "entry.ts") ? entry : undefined),
      },
    ],
  });
  // In the package, so that its dependencies resolve. Another process may do the same now.
  const folder = join(path, ".riskgate");
  const file = join(folder, `${sources.join("+").replaceAll("/", "-")}.mjs`);
  const own = `${file}.${randomUUID()}`;
  mkdirSync(folder, { recursive: true });
  await build.write({ file: own, codeSplitting: false });
  await build.close();
  renameSync(own, file);
  return pathToFileURL(file).href;
}
