import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Project, projectsIn, root } from "../workspace.mjs";

/** A source or test of a package or example. */
export interface SourceFile {
  /** Path in the repository. */
  readonly path: string;
  readonly project: Project;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
  /** Specifiers that the file imports or exports from, types included. */
  readonly imports: readonly string[];
}

/** Returns the files of one kind in all packages or examples. */
export function sourceFiles(
  kind: "src" | "test",
  folder: "packages" | "examples" = "packages",
): SourceFile[] {
  return projectsIn(folder).flatMap((project) =>
    typeScriptIn(join(project.path, kind)).map((file) => {
      const text = readFileSync(file, "utf8");
      const code = withoutComments(text);
      return { path: relative(root, file), project, text, code, imports: importsOf(code) };
    }),
  );
}

function typeScriptIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

// Strings come first, so that a `//` in an address is not taken for a comment.
const STRING_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/.*/g;

function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (match) => (match.startsWith("/") ? "" : match));
}

const IMPORT = /\b(?:from\s+|import\s+|import\(\s*|require\(\s*)"([^"]+)"/g;

function importsOf(code: string): string[] {
  return [...code.matchAll(IMPORT)].map((match) => match[1] ?? "");
}
