import { posix } from "node:path";
import { nameOf, statementsOf, type SyntaxNode } from "./syntax.js";
import type { TrackedFile } from "./tracked-source.js";

/** Lists the names that a file exports, values and types, `export *` of our own files included. */
export function exportedNames(path: string, files: readonly TrackedFile[]): string[] {
  const file = files.find((one) => one.path === path);
  if (file === undefined) throw new Error(`no such source: ${path}`);
  const names = statementsOf(file).flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") {
      const name = nameOf(statement["exported"]);
      if (name !== undefined) return [name];
      const target = posix.join(posix.dirname(path), nameOf(statement["source"]) ?? "");
      return exportedNames(target.replace(/\.js$/, ".ts"), files);
    }
    return statement.type === "ExportNamedDeclaration" ? namesOf(statement) : [];
  });
  return [...new Set(names)].sort();
}

function namesOf({ specifiers, declaration }: SyntaxNode): string[] {
  const listed = (specifiers as SyntaxNode[]).map(({ exported }) => exported);
  const { id, declarations = [] } = (declaration ?? {}) as {
    id?: unknown;
    declarations?: SyntaxNode[];
  };
  const nodes = [...listed, id, ...declarations.map((one) => one["id"])];
  return nodes.map(nameOf).filter((name) => name !== undefined);
}
