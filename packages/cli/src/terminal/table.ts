import { printable } from "./printable.js";

/** Formats rows as columns, two spaces apart, and makes their text safe to show. */
export function formatTable(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  }
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
