import { RolldownMagicString } from "rolldown";
import { parseAst } from "rolldown/parseAst";

const MARK = "/* @__PURE__ */";
const CALLS = new Set(["CallExpression", "NewExpression"]);

/**
 * Creates a plugin that marks the calls in the constants of a module as pure, so that bundlers can
 * drop the constants that an application does not use. Our modules do nothing else when they load.
 *
 * @returns {import("rolldown").Plugin}
 */
export function markPure() {
  return {
    name: "mark-pure",
    renderChunk(code) {
      const marked = new RolldownMagicString(code);
      for (const statement of parseAst(code).body) {
        if (statement.type !== "VariableDeclaration") continue;
        for (const { init } of statement.declarations) {
          if (!init) continue;
          const nodes = [...evaluated(init)];
          for (const { type, start } of nodes) {
            if (!CALLS.has(type) || code.slice(0, start).trimEnd().endsWith(MARK)) continue;
            marked.prependLeft(start, `${MARK} `);
          }
          // A spread runs an iterator, and only a call can be marked.
          if (nodes.some(({ type }) => type === "SpreadElement")) {
            marked.prependLeft(init.start, `${MARK} (() => (`).appendRight(init.end, "))()");
          }
        }
      }
      return { code: marked };
    },
  };
}

/**
 * Yields the nodes that run when an expression does, so none inside functions and classes.
 *
 * @param {object} node
 * @returns {Generator<{ type: string, start: number }>}
 */
function* evaluated(node) {
  const { type = "", start = 0 } = /** @type {{ type?: string, start?: number }} */ (node);
  if (type.includes("Function") || type.includes("Class")) return;
  yield { type, start };
  for (const child of /** @type {unknown[]} */ (Object.values(node))) {
    if (typeof child === "object" && child !== null) yield* evaluated(child);
  }
}
