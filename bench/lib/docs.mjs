import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { draw } from "./picture.mjs";
import { caseNote, caseTable, targetTable } from "./table.mjs";

const page = new URL("../../docs/performance.md", import.meta.url);
const pictures = new URL("../../docs/performance/", import.meta.url);

/**
 * Put the tables of a comparison in the place that the documentation has for them, and draw its
 * picture.
 *
 * @param {import("./comparison.mjs").ComparisonResult} result
 */
export function document({ name, title, measuredOn, cases }) {
  mkdirSync(pictures, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, pictures), draw(title, cases));
  const tables = cases.map((result) => {
    return `### ${result.name}\n\n${caseTable(result)}\n\n_${caseNote(result)}._`;
  });
  const targets = targetTable(cases);
  const parts = [`![${title}](performance/${name}.svg)`, `Measured on ${measuredOn}.`, ...tables];
  if (targets) parts.push(`### Targets of \`${name}\``, targets);
  replaceBlock(name, parts.join("\n\n"));
}

/** @param {string} name @param {string} content */
function replaceBlock(name, content) {
  const text = readFileSync(page, "utf8");
  const [open, close] = [`<!-- bench: ${name} -->`, `<!-- end: ${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`docs/performance.md has no place for ${name}`);
  writeFileSync(page, `${text.slice(0, start)}${open}\n\n${content}\n\n${text.slice(end)}`);
}
