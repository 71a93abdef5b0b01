import { digits, labelOf } from "./figures.mjs";

/**
 * Formats rows under a heading as a Markdown table that also reads well in a terminal. All columns
 * except the first contain figures.
 *
 * @param {readonly string[]} heading
 * @param {readonly (readonly string[])[]} rows
 */
export function layOut(heading, rows) {
  const widths = heading.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  /** @param {readonly string[]} cells */
  const line = (cells) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(heading), line(rule), ...rows.map(line)].join("\n");
}

/** @param {import("./rounds.mjs").CaseResult} result */
export function caseTable({ figure, baseline, variants }) {
  const others = Object.keys(variants[0]?.figures ?? {}).filter((name) => name !== figure);
  const heading = ["", labelOf(figure), "min to max", `to ${baseline}`, ...others.map(labelOf)];
  const rows = variants.map(({ name, figures, ratio }) => {
    const main = figures[figure];
    if (!main) throw new Error(`"${name}" does not measure "${figure}"`);
    return [
      name,
      digits(main.median),
      `${digits(main.min)} to ${digits(main.max)}`,
      `${digits(ratio.median)}x`,
      ...others.map((other) => digits(figures[other]?.median ?? NaN)),
    ];
  });
  return layOut(heading, rows);
}

/** Describes the rounds of a case. @param {import("./rounds.mjs").CaseResult} result */
export function caseNote({ rounds, repeated, busy }) {
  const parts = [`${rounds} ${rounds === 1 ? "round" : "rounds"}`];
  if (repeated > 0) parts.push(`${repeated} repeated because the machine was busy`);
  if (busy > 0) parts.push(`${busy} kept although the machine was busy`);
  return parts.join(", ");
}

/** @param {readonly { name: string, targets: import("./rounds.mjs").CaseResult["targets"] }[]} cases */
export function targetTable(cases) {
  const rows = cases.flatMap(({ name, targets }) =>
    targets.map(({ id, what, bound, measured, isMet }) => [
      `${id}: ${what} (${name})`,
      bound,
      measured,
      isMet ? "met" : "missed",
    ]),
  );
  return rows.length === 0 ? "" : layOut(["target", "asked", "measured", ""], rows);
}
