import { statementsOf, visit } from "./syntax.js";
import type { TrackedFile } from "./tracked-source.js";

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
/** Two words of lower case with a space between them: a message, not an identifier. */
const SENTENCE = /[a-z] [a-z]/;
const TEXT_NODES = ["Literal", "TemplateElement", "JSXText"];

type Range = readonly [start: number, end: number];

/**
 * Returns the text of a file that people read: a document without its code blocks, or the comments
 * and messages of a source. Everything else is blank, so that line numbers stay right.
 */
export function proseOf(file: TrackedFile): string {
  if (/\.(?:md|yaml)$/.test(file.path)) return file.text.replace(/```[\s\S]*?```/g, blank);
  const literals = literalsOf(file);
  const code = keep(file.text, complement(literals, file.text.length));
  const comments = [...code.matchAll(COMMENT)].map(({ index, 0: text }): Range => [
    index,
    index + text.length,
  ]);
  const messages = literals.filter(([start, end]) => SENTENCE.test(file.text.slice(start, end)));
  return keep(
    file.text,
    [...comments, ...messages].toSorted(([one], [other]) => one - other),
  );
}

function literalsOf(file: TrackedFile): Range[] {
  const ranges: Range[] = [];
  visit(statementsOf(file), undefined, ({ type, start, end }) => {
    if (TEXT_NODES.includes(type)) ranges.push([start, end]);
  });
  return ranges.toSorted(([one], [other]) => one - other);
}

function complement(ranges: readonly Range[], end: number): Range[] {
  const starts = [0, ...ranges.map((range) => range[1])];
  return starts.map((start, index): Range => [start, ranges[index]?.[0] ?? end]);
}

/** Keeps the ranges, which are sorted, and blanks the rest. */
function keep(text: string, ranges: readonly Range[]): string {
  let kept = "";
  let at = 0;
  for (const [start, end] of ranges) {
    kept += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return kept + blank(text.slice(at));
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
