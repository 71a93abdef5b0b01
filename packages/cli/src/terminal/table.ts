import { printable } from "./printable.js";
import type { Output } from "./terminal.js";

/** Width of lists that do not go to a terminal. */
const LIST_COLUMNS = 120;

/** Width of a time in milliseconds. */
const TIME_WIDTH = 24;

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Columns are not cut below this width. */
const LEAST_WIDTH = 8;

const GAP = "  ";

/** Formats rows as columns, two spaces apart, and makes their text safe to show. */
export function formatTable(
  given: readonly (readonly string[])[],
  columns: number = Infinity,
): string {
  const rows = given.map((row) => row.map(printable));
  const widths = fitted(rows, columns);
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => cut(cell, widths[at]!).padEnd(widths[at]!));
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join("");
}

/** Formats a list, and cuts its longest cells so that it fits the terminal. */
export function formatList(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { isTerminal, columns }: Pick<Output, "isTerminal" | "columns">,
): string {
  return formatTable([head, ...rows], isTerminal ? columns : LIST_COLUMNS);
}

/** Formats one row of a list with each value, uncut, beside the name of its column. */
export function formatFields(head: readonly string[], row: readonly string[]): string {
  const fields = head.map((name, at) => [labelOf(name), row[at] ?? ""]);
  return formatTable(fields.filter(([, value]) => value !== ""));
}

function labelOf(name: string): string {
  return name.length < 3 ? name : name.charAt(0) + name.slice(1).toLowerCase();
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  }
  return widths;
}

/** Cuts long texts first, then the last column, and times only if nothing else helps. */
function fitted(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const natural = widthsOf(rows);
  const isTime = natural.map((_, at) => rows.some((row) => TIME.test(row[at] ?? "")));
  const last = natural.length - 1;
  let widths = natural;
  const isTooWide = (): boolean =>
    widths.reduce((sum, width) => sum + width, GAP.length * last) > columns;
  const limit = (least: number, isCut: (at: number) => boolean): void => {
    for (let most = Math.max(...widths); most >= least && isTooWide(); most--) {
      widths = widths.map((width, at) => (isCut(at) ? Math.min(width, most) : width));
    }
  };
  limit(TIME_WIDTH, () => true);
  limit(LEAST_WIDTH, (at) => at === last);
  limit(LEAST_WIDTH, (at) => !isTime[at]);
  limit(LEAST_WIDTH, () => true);
  return widths;
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, width - 1)}\u2026`;
}
