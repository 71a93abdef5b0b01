import type { ConformanceResult } from "@riskgate/testing";
import type { ConformanceReport } from "./conformance-report.js";
import { deviationLines } from "./conformance-text.js";

/** Formats a report as JUnit XML for build servers; a warning is a passed case with output. */
export function conformanceJunit(report: ConformanceReport): string {
  const { contract, url, failed, skipped, cases } = report;
  const totalMs = cases.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  const counts = `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}"`;
  const time = `time="${secondsOf(totalMs)}"`;
  const suite = `name="riskgate conformance ${contract} ${escaped(url)}" ${counts} ${time}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} ${time}>`,
    `  <testsuite ${suite}>`,
    ...cases.map((result) => caseXml(contract, result)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseXml(contract: string, result: ConformanceResult): string {
  const { id, title, state, elapsedMs, reason = "" } = result;
  const names = `classname="riskgate.${contract}" name="${escaped(`${id} ${title}`)}"`;
  const head = `    <testcase ${names} time="${secondsOf(elapsedMs)}"`;
  if (state === "passed") return `${head}/>`;
  const text = escaped(linesOf(result).join("\n"));
  const [first] = result.deviations;
  const message = escaped(first ? `expected ${first.expected}, received ${first.received}` : "");
  const inner = {
    failed: `<failure message="${message}">${text}</failure>`,
    warned: `<system-out>warning\n${text}</system-out>`,
    skipped: `<skipped message="${escaped(reason)}"/>`,
  }[state];
  return `${head}>\n      ${inner}\n    </testcase>`;
}

function linesOf({ deviations, remedy }: ConformanceResult): readonly string[] {
  const found = deviations.flatMap(deviationLines);
  return remedy === undefined ? found : [...found, `remedy    ${remedy}`];
}

function secondsOf(ms: number): string {
  return (ms / 1000).toFixed(3);
}

// oxlint-disable-next-line no-control-regex -- XML cannot express them.
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text
    .replaceAll(NOT_XML, "\ufffd")
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
