import type { RecordedIncident } from "@riskgate/api-types";
import { GENRE_TEXTS, SEVERITIES } from "./genre-text.js";
import { numberIn } from "./shown-value.js";

export const INCIDENT_SORTS = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["events", "Most events first"],
] as const;

export const INCIDENT_GROUPS = [
  ["genre", "By genre"],
  ["severity", "By severity"],
] as const;

interface Arrangement {
  /** Open ones first unless it is one of {@link INCIDENT_SORTS}. */
  readonly sort?: string;
  /** Not grouped unless it is `genre` or `severity`. */
  readonly group?: string;
}

export interface IncidentGroup {
  readonly key: string;
  readonly name: string;
  readonly openCount: number;
  readonly rows: readonly RecordedIncident[];
}

/** Sorts incidents, by default open ones first and then newest first; groups have the most severe first. */
export function arrangeIncidents(
  incidents: readonly RecordedIncident[],
  { sort, group }: Arrangement,
): { readonly rows: readonly RecordedIncident[]; readonly groups?: readonly IncidentGroup[] } {
  const rows = incidents.toSorted((one, other) => {
    if (sort === "events") return eventsOf(other) - eventsOf(one);
    const later = startOf(other) - startOf(one);
    if (sort === "oldest") return -later;
    const opened = sort === "newest" ? 0 : Number(isOpen(other)) - Number(isOpen(one));
    return opened || later;
  });
  if (group !== "genre" && group !== "severity") return { rows };
  const byKey = new Map<string, RecordedIncident[]>();
  for (const incident of rows) {
    const key = group === "severity" ? GENRE_TEXTS[incident.genre].severity : incident.genre;
    byKey.set(key, [...(byKey.get(key) ?? []), incident]);
  }
  const groups = [...byKey].map(([key, own]) => {
    const { name, severity } = GENRE_TEXTS[own[0]!.genre];
    return {
      key,
      name: group === "severity" ? severity : name,
      rank: SEVERITIES.indexOf(severity),
      openCount: own.filter(isOpen).length,
      rows: own,
    };
  });
  return {
    rows,
    groups: groups.toSorted(
      (one, other) => one.rank - other.rank || other.openCount - one.openCount,
    ),
  };
}

function isOpen({ endedAt }: RecordedIncident): boolean {
  return endedAt === null;
}

function startOf({ startedAt }: RecordedIncident): number {
  return Date.parse(startedAt);
}

function eventsOf({ payload }: RecordedIncident): number {
  return numberIn(payload, "incidents_count");
}
