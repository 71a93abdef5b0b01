import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import { type Manifest, projectsIn, readJson, root } from "../workspace.mjs";

/** A program shown in a document. */
export interface CodeBlock {
  /** Document and line, for a title: `README.md:12`. */
  readonly title: string;
  /** Name of its file, with the extension of its module syntax. */
  readonly file: string;
  /** Folder of the project whose dependencies the program uses. */
  readonly home: string;
  readonly code: string;
}

const FENCE = /^```(?:ts|js)\b.*\n([\s\S]*?)^```$/gm;
const IMPORT = /\b(?:from|import|require\()\s*"([^"]+)"/g;

/** A folder whose dependencies programs can use. */
interface Home {
  readonly name: string;
  readonly path: string;
  readonly manifest: Manifest;
}

const recipes: Home = {
  name: "recipes",
  path: join(root, "docs/recipes"),
  manifest: readJson(join(root, "docs/recipes/package.json")) as Manifest,
};

/** Returns the `ts` and `js` blocks of a document; the path is relative to the repository. */
export function codeBlocks(document: string): CodeBlock[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(FENCE)].map((match) => {
    const code = match[1] ?? "";
    const line = text.slice(0, match.index).split("\n").length;
    const ending = code.includes("require(") ? "cts" : "mts";
    return {
      title: `${document}:${line}`,
      file: `${basename(document, ".md")}-${line}.${ending}`,
      home: homeOf(document, code),
      code,
    };
  });
}

/** Returns the package of the document, or else the first project that has every import. */
function homeOf(document: string, code: string): string {
  const projects: Home[] = [...projectsIn("packages"), ...projectsIn("examples"), recipes];
  const owner = projects.find(({ name }) => document.startsWith(`packages/${name}/`));
  if (owner !== undefined) return owner.path;
  const imports = [...code.matchAll(IMPORT)]
    .map((match) => match[1] ?? "")
    .filter((name) => !name.startsWith("node:") && !builtinModules.includes(name))
    // `@scope/name/entry` is a file of the package `@scope/name`.
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  const home = projects.find((project) => imports.every((name) => resolves(name, project)));
  if (home === undefined) throw new Error(`no project has all of ${imports.join(", ")}`);
  return home.path;
}

function resolves(name: string, { path, manifest }: Home): boolean {
  return name === manifest.name || existsSync(join(path, "node_modules", name));
}
