import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/**
 * Build the pages of a package: what a browser loads, with all of its libraries, and their licences.
 *
 * @param {import("./workspace.mjs").Project} project
 * @returns {Promise<{ file: string, text: string }[]>} What belongs into `dist`; none without pages.
 */
export async function buildPages({ path }) {
  const root = join(path, "src/app");
  if (!existsSync(join(root, "index.html"))) return [];
  // Inherited from a test runner, it would make pages for development, which are slower and larger.
  process.env["NODE_ENV"] = "production";
  const built = await build({
    root,
    base: "/console/",
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      // What is inlined would be a URL of its own kind, which the pages do not permit.
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
