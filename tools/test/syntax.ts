import { parseAst } from "rolldown/parseAst";
import type { TrackedFile } from "./tracked-source.js";

/** A node of the syntax tree; its other properties depend on `type`. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** Returns the statements of a file. */
export function statementsOf({ path, text }: TrackedFile): readonly SyntaxNode[] {
  const { body } = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }, path);
  return body as unknown as readonly SyntaxNode[];
}

/** Returns the name of an identifier, or the text of a string literal. */
export function nameOf(node: unknown): string | undefined {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown };
  if (typeof name === "string") return name;
  return typeof value === "string" ? value : undefined;
}

/** Visits every node; `context` is what the visit of the parent returned. */
export function visit<Context>(
  node: unknown,
  context: Context,
  enter: (node: SyntaxNode, context: Context) => Context,
): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, context, enter);
    return;
  }
  const inner = "type" in node ? enter(node as SyntaxNode, context) : context;
  for (const value of Object.values(node)) visit(value, inner, enter);
}
