import { nameOf, statementsOf, type SyntaxNode, visit } from "./syntax.js";
import type { TrackedFile } from "./tracked-source.js";

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const NAMED_BY_KEY = ["MethodDefinition", "Property", "PropertyDefinition"];

/** Names each function over `most` lines, measured with the functions inside it. */
export function longFunctionsIn(file: TrackedFile, most: number): string[] {
  const found: string[] = [];
  visit(statementsOf(file), "anonymous", (node, name) => {
    const own = ownName(node) ?? name;
    if (FUNCTIONS.includes(node.type)) {
      const lines = file.text.slice(node.start, node.end).split("\n").length;
      if (lines > most) found.push(own);
    }
    return own;
  });
  return found;
}

function ownName({ type, id, key }: SyntaxNode): string | undefined {
  return nameOf(NAMED_BY_KEY.includes(type) ? key : id);
}
