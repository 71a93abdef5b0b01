import type { ConformanceResult } from "@riskgate/testing";
import { counted } from "../terminal/counted.js";
import { printable } from "../terminal/printable.js";
import type { Output, Tone } from "../terminal/terminal.js";
import type { ConformanceReport } from "./conformance-report.js";

const LABELS: Readonly<Record<ConformanceResult["state"], readonly [label: string, tone: Tone]>> = {
  passed: ["passed ", "good"],
  failed: ["FAILED ", "bad"],
  warned: ["warning", "warn"],
  skipped: ["skipped", "dim"],
};

/** The first deviations of a case are enough to find the cause. */
const SHOWN = 3;
const INDENT = " ".repeat(9);

export function caseText(result: ConformanceResult, { paint }: Pick<Output, "paint">): string {
  const { id, title, state, deviations, remedy, reason } = result;
  const [label, tone] = LABELS[state];
  const why = reason === undefined ? "" : `: ${printable(reason)}`;
  const lines = [`${paint(tone, label)}  ${id}  ${title}${why}`];
  for (const line of deviations.slice(0, SHOWN).flatMap(deviationLines)) {
    lines.push(INDENT + printable(line));
  }
  const more = deviations.length - SHOWN;
  if (more > 0) lines.push(`${INDENT}and ${more} more`);
  if (remedy !== undefined) lines.push(`${INDENT}remedy    ${remedy}`);
  return `${lines.join("\n")}\n`;
}

export function deviationLines({
  sent,
  expected,
  received,
}: ConformanceResult["deviations"][number]): readonly string[] {
  return [`sent      ${sent}`, `expected  ${expected}`, `received  ${received}`];
}

export function summaryText({ passed, failed, warned, skipped }: ConformanceReport): string {
  return `\n${passed} passed, ${failed} failed, ${counted(warned, "warning")}, ${skipped} skipped\n`;
}
