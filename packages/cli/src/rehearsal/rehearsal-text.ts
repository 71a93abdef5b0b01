import { OUTCOMES } from "@riskgate/core";
import { printable } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";
import { curveText } from "./curve-text.js";
import type { GivenThresholds } from "@riskgate/core/internal";
import { thresholdLines } from "./used-thresholds.js";
import type { GroupResult, RehearsalResult } from "./rehearsal.js";

/** Maximum number of shown routes and days; `--format json` contains all of them. */
const SHOWN_ROUTES = 20;
const SHOWN_DAYS = 31;
const SHOWN_SIGNALS = 5;
const SHOWN_LABELLED = 20;

const numbers = new Intl.NumberFormat("en-US");

/** Formats the result of a rehearsal for a terminal, and makes texts of the log safe to show. */
export function rehearsalText(result: RehearsalResult, given: GivenThresholds = {}): string {
  const { routes, days, flips, examples, labels } = result;
  const sections = [headOf(result, given)];
  if (result.decisions > 0) {
    sections.push(outcomeTable(result), flipTable(result));
    sections.push(
      groupTable("ROUTE", routes.slice(0, SHOWN_ROUTES), ({ route }) => route) +
        moreText(routes.length - SHOWN_ROUTES, "routes"),
      groupTable("DAY", days.slice(-SHOWN_DAYS), ({ day }) => day) +
        moreText(days.length - SHOWN_DAYS, "earlier days"),
    );
  }
  if (flips.length > 0) {
    const rows = examples.map((one) => [
      `${one.log}:${one.line}`,
      one.route ?? "",
      `${one.from} to ${one.to}`,
      one.score === null ? "" : String(one.score),
      one.signals.join(", "),
    ]);
    sections.push(formatTable([["EXAMPLE", "ROUTE", "CHANGE", "SCORE", "SIGNALS"], ...rows]));
  }
  if (labels) sections.push(labelText(labels));
  return sections.join("\n");
}

function headOf(result: RehearsalResult, given: GivenThresholds): string {
  const {
    decisions,
    from,
    to,
    broken,
    firstBroken,
    before,
    observed,
    ownPolicy,
    changed,
    damaged,
  } = result;
  const span = from === null || to === null ? "" : `, ${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  const lines = [`${count(decisions, "decision")}${span}`];
  if (decisions > 0) {
    lines.push(`${count(changed, "outcome")} (${percent(changed, decisions)}) would change`);
  }
  lines.push(...thresholdLines(result.policies, given));
  if (before > 0) lines.push(`${count(before, "earlier decision")} left out`);
  if (observed > 0)
    lines.push(`${count(observed, "decision")} in observe mode, counted like the others`);
  if (ownPolicy > 0) {
    lines.push(
      `${count(ownPolicy, "decision")} by the application's own policy, rehearsed with the thresholds`,
    );
  }
  if (broken > 0) {
    const places = firstBroken.map(({ log, line }) => `${printable(log)}:${line}`).join(", ");
    lines.push(`${count(broken, "line")} could not be read; the first: ${places}`);
  }
  for (const log of damaged)
    lines.push(`${printable(log)} is damaged, and was not read to its end`);
  return `${lines.join("\n")}\n`;
}

function outcomeTable({ decisions, recorded, rehearsed }: GroupResult): string {
  const rows = OUTCOMES.map((outcome) => {
    const [was, is] = [recorded[outcome], rehearsed[outcome]];
    return [outcome, shareText(was, decisions), shareText(is, decisions), signed(is - was)];
  });
  return formatTable([["OUTCOME", "RECORDED", "REHEARSED", "CHANGE"], ...rows]);
}

function flipTable({ flips, decisions }: RehearsalResult): string {
  if (flips.length === 0) return "No outcome would change.\n";
  const rows = flips.map((flip) => [
    `${flip.from} to ${flip.to}`,
    shareText(flip.decisions, decisions),
    flip.signals
      .slice(0, SHOWN_SIGNALS)
      .map((one) => `${one.signal} ${numbers.format(one.decisions)}`)
      .join(", "),
  ]);
  return formatTable([["CHANGE", "DECISIONS", "SIGNALS BEHIND IT"], ...rows]);
}

function groupTable<T extends GroupResult>(
  name: string,
  groups: readonly T[],
  nameOf: (group: T) => string,
): string {
  const rows = groups.map((group) => [
    nameOf(group),
    numbers.format(group.decisions),
    ...OUTCOMES.map((one) => changeText(group.recorded[one], group.rehearsed[one])),
    shareText(group.changed, group.decisions),
  ]);
  const head = OUTCOMES.map((outcome) => outcome.toUpperCase());
  return formatTable([[name, "DECISIONS", ...head, "CHANGED"], ...rows]);
}

type Labelled = NonNullable<RehearsalResult["labels"]>;

function labelText(result: Labelled): string {
  const { labels, fraud, legitimate, recorded, rehearsed } = result;
  const known =
    `${count(labels, "label")}; labelled decisions: ` +
    `${numbers.format(fraud)} fraud, ${numbers.format(legitimate)} legitimate\n`;
  if (fraud + legitimate === 0) return known;
  const row = (name: string, { stopped, rejected }: Labelled["recorded"]): string[] => [
    name,
    ...[stopped, rejected].flatMap(({ precision, recall }) => [precision, recall]).map(shareOf),
  ];
  const policies = formatTable([
    ["POLICY", "NOT ALLOWED: PRECISION", "RECALL", "REJECTED: PRECISION", "RECALL"],
    row("recorded", recorded),
    row("rehearsed", rehearsed),
  ]);
  return [known, policies, foundText(result), thresholdText(result)].join("\n");
}

/** Precision and recall of each outcome and signal. */
function foundText({ outcomes, signals }: Labelled): string {
  const cells = (found: Labelled["signals"][number] | Labelled["outcomes"][number]["recorded"]) => [
    shareOf(found.precision),
    shareOf(found.recall),
    numbers.format(found.fraud),
    numbers.format(found.legitimate),
  ];
  const head = ["PRECISION", "RECALL", "FRAUD", "LEGITIMATE"];
  const byOutcome = outcomes.map(({ outcome, rehearsed }) => [outcome, ...cells(rehearsed)]);
  const bySignal = signals
    .slice(0, SHOWN_LABELLED)
    .map(({ signal, ...found }) => [signal, ...cells({ signal, ...found })]);
  return [
    formatTable([["OUTCOME, REHEARSED", ...head], ...byOutcome]),
    formatTable([["SIGNAL", ...head], ...bySignal]) +
      moreText(signals.length - SHOWN_LABELLED, "signals"),
  ].join("\n");
}

function thresholdText({ thresholds, best }: Labelled): string {
  const points = thresholds
    .filter(({ threshold }) => threshold % 10 === 0)
    .map((point) => [
      String(point.threshold),
      shareOf(point.precision),
      shareOf(point.recall),
      numbers.format(point.fraudFound),
      numbers.format(point.legitimateFound),
    ]);
  const table = formatTable([
    ["SCORE ABOVE", "PRECISION", "RECALL", "FRAUD FOUND", "LEGITIMATE FOUND"],
    ...points,
  ]);
  const advice = best
    ? `Best thresholds: --flag-above ${best.flagAbove} --challenge-above ${best.challengeAbove} --reject-above ${best.rejectAbove}\n`
    : "";
  return [table, curveText(thresholds), ...(best ? [advice] : [])].join("\n");
}

function moreText(more: number, what: string): string {
  return more > 0 ? `and ${numbers.format(more)} more ${what}; see --format json\n` : "";
}

function count(number: number, noun: string): string {
  return `${numbers.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${((100 * part) / whole).toFixed(1)}%`;
}

function shareText(part: number, whole: number): string {
  return `${numbers.format(part)} (${percent(part, whole)})`;
}

function shareOf(share: number | null): string {
  return share === null ? "-" : `${(100 * share).toFixed(1)}%`;
}

function signed(number: number): string {
  return number > 0 ? `+${numbers.format(number)}` : numbers.format(number);
}

function changeText(was: number, is: number): string {
  return was === is ? numbers.format(is) : `${numbers.format(was)} > ${numbers.format(is)}`;
}
