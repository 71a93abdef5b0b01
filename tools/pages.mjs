import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/**
 * Builds the pages of a package for a browser, with all libraries and their licences.
 *
 * @param {import("./workspace.mjs").Project} project
 * @returns {Promise<{ file: string, text: string }[]>} The files of `dist`; none for a package without pages.
 */
export async function buildPages({ path }) {
  const root = join(path, "src/app");
  if (!existsSync(join(root, "index.html"))) return [];
  // Inherited from a test runner, it would select slower and larger pages for development.
  process.env["NODE_ENV"] = "production";
  const built = await build({
    root,
    base: "/console/",
    configFile: false,
    // Core's sources, of which the pages import constants and pure functions: it may be built later.
    resolve: { conditions: ["riskgate-source", "module", "browser"] },
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      // Inlined assets would be `data:` URLs, which the pages do not permit.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: "third-party.md" },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs.flatMap((one) =>
    "output" in one
      ? one.output.map((part) => ({
          file: `app/${part.fileName}`,
          text: part.type === "chunk" ? part.code : String(part.source),
        }))
      : [],
  );
}
