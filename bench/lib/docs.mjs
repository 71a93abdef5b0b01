import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { draw } from "./picture.mjs";
import { caseNote, caseTable, targetTable } from "./table.mjs";

const page = new URL("../results.md", import.meta.url);
const pictures = new URL("../pictures/", import.meta.url);

/**
 * Writes the tables of a comparison into the page of results, and draws its picture.
 *
 * @param {import("./comparison.mjs").ComparisonResult} result
 */
export function document({ name, title, about, measuredOn, cases }) {
  mkdirSync(pictures, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, pictures), draw(title, cases));
  const tables = cases.map((result) => {
    return `### ${result.name}\n\n${caseTable(result)}\n\n_${caseNote(result)}._`;
  });
  const targets = targetTable(cases);
  const parts = [
    about,
    `![${title}](pictures/${name}.svg)`,
    `Measured on ${measuredOn}.`,
    ...(targets ? [targets] : []),
    ...tables,
  ];
  replaceBlock(name, parts.join("\n\n"));
}

/** @param {string} name @param {string} content */
function replaceBlock(name, content) {
  const text = readFileSync(page, "utf8");
  const [open, close] = [`<!-- bench: ${name} -->`, `<!-- end: ${name} -->`];
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`bench/results.md has no place for ${name}`);
  writeFileSync(page, `${text.slice(0, start)}${open}\n\n${content}\n\n${text.slice(end)}`);
}
