import type { IpAssessment, Outcome } from "@riskgate/core";
import { outcomeOf } from "@riskgate/core/internal";
import { counted } from "../terminal/counted.js";
import { ageOf } from "../feeds/describe-feed.js";
import type { Answer } from "./lookup-source.js";
import { printable } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";
import type { Output, Tone } from "../terminal/terminal.js";

const OUTCOME_TONES: Readonly<Record<Outcome, Tone>> = {
  allow: "good",
  flag: "warn",
  challenge: "warn",
  reject: "bad",
};

/** Returns one line for an assessment, followed by one line for each reason. */
export function describeAssessment(identifier: string, answer: Answer, output: Output): string {
  const { assessment, geo, ...members } = answer;
  const { risk_score: score } = assessment;
  const outcome = outcomeOf(score);
  const words = [
    printable(identifier),
    output.paint(OUTCOME_TONES[outcome], `${score} ${outcome}`),
    ...flagsOf({ ...assessment, ...members }),
    ...countsOf(assessment),
    ...placeOf((assessment as IpAssessment).ip_geo),
    ...systemOf(geo?.asn),
  ];
  return `${words.join("  ")}\n${reasonsOf(answer)}`;
}

function flagsOf(assessment: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(assessment)
    .filter(([name, value]) => name.startsWith("is_") && value === true)
    .map(([name]) => printable(name.slice("is_".length)));
}

function countsOf({
  security_events_count: all,
  high_risk_security_events_count: high,
}: Answer["assessment"]): string[] {
  if (typeof all !== "number" || all === 0) return [];
  return [`${counted(all, "event")} (${high ?? 0} of high risk)`];
}

function placeOf(geo: IpAssessment["ip_geo"]): string[] {
  const { city, country_code: country } = geo ?? {};
  return [city, country]
    .filter((part) => typeof part === "string" && part !== "")
    .map((part) => printable(part!));
}

function systemOf(system: NonNullable<Answer["geo"]>["asn"] | undefined): string[] {
  if (!system) return [];
  return [printable(`AS${system.number} ${system.organisation ?? ""}`.trim())];
}

/** Returns one row for each signal, and for each event in a service's ledger. */
function reasonsOf({ signals, feeds = [], ledger }: Answer): string {
  if (signals === undefined) return "";
  if (signals.length === 0) return "    no signal\n";
  const rows = signals.map(({ name, adds, source, detail }) => [
    "  ",
    `+${adds}`,
    name,
    source,
    detail ?? agesOf(name, feeds),
  ]);
  const events = (ledger?.entries ?? []).map(({ kind, occurredAt, highRisk }) => [
    "  ",
    "",
    "event",
    kind ?? "unknown",
    `${occurredAt}${highRisk ? ", high risk" : ""}`,
  ]);
  return formatTable([...rows, ...events]);
}

/** Returns the ages of the lists behind a signal. */
function agesOf(signal: string, feeds: NonNullable<Answer["feeds"]>): string {
  return feeds
    .filter(({ kind, listed }) => kind === signal && listed)
    .map(({ ageMs }) => `${ageOf(ageMs)} old`)
    .join(", ");
}
