import type { RecordedIncident } from "@riskgate/api-types";
import { GENRE_TEXTS, SEVERITIES } from "./genre-text.js";
import { countText } from "./shown-value.js";

/** Open incidents that are listed below the answer. */
const MAX_SHOWN = 3;

export interface AttackState {
  readonly tone: "good" | "warn" | "bad";
  readonly title: string;
  readonly text: string;
  /** The most severe open incidents, the newest first among equals. */
  readonly worst: readonly RecordedIncident[];
}

/** Answers whether an attack is going on, from the open incidents. */
export function attackState(open: readonly RecordedIncident[], count: number): AttackState {
  const severityOf = ({ genre }: RecordedIncident): number =>
    SEVERITIES.indexOf(GENRE_TEXTS[genre].severity);
  const worst = open
    .toSorted(
      (one, other) =>
        severityOf(one) - severityOf(other) ||
        Date.parse(other.startedAt) - Date.parse(one.startedAt),
    )
    .slice(0, MAX_SHOWN);
  if (count === 0) {
    return { tone: "good", title: "All clear", text: "No incident is open.", worst };
  }
  const counted = (severity: (typeof SEVERITIES)[number]): number =>
    open.filter(({ genre }) => GENRE_TEXTS[genre].severity === severity).length;
  const [critical, high] = [counted("critical"), counted("high")];
  const incidents = countText(count, "open incident");
  if (critical + high === 0) {
    return { tone: "warn", title: incidents, text: "None of them is severe.", worst };
  }
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(high > 0 ? [`${high} high`] : []),
  ];
  return { tone: "bad", title: "Under attack", text: `${incidents}: ${parts.join(", ")}.`, worst };
}
