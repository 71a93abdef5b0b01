import { printable } from "../terminal/printable.js";
import type { Output, Tone } from "../terminal/terminal.js";
import type { Finding } from "./finding.js";

const LABELS: Readonly<Record<Finding["state"], readonly [label: string, tone: Tone]>> = {
  ok: ["ok     ", "good"],
  warning: ["warning", "warn"],
  fault: ["FAULT  ", "bad"],
  skipped: ["skipped", "dim"],
};

/** Formats a finding as one line, followed by a line with its remedy. */
export function findingLines({ check, state, found, remedy }: Finding, out: Output): string {
  const [label, tone] = LABELS[state];
  const line = `${out.paint(tone, label)}  ${check}: ${printable(found)}\n`;
  return remedy === undefined ? line : `${line}         ${printable(remedy)}\n`;
}
