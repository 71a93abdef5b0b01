import type { IncidentGenre, RecordedIncident } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { arrangeIncidents, INCIDENT_GROUPS, INCIDENT_SORTS } from "../arrange-incidents.js";
import { GENRE_TEXTS } from "../genre-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { ForeignLink } from "../parts/foreign.js";
import { IncidentState } from "../parts/incident-state.js";
import { type Filter, RecordsPage } from "../parts/records-page.js";
import { RelativeTime } from "../parts/relative-time.js";
import type { Column } from "../parts/row-list.js";
import { SeverityBadge } from "../parts/severity-badge.js";
import { countText, numberIn, shownCount, textIn } from "../shown-value.js";

const GENRES = Object.keys(GENRE_TEXTS) as readonly IncidentGenre[];

const COLUMNS: readonly Column<RecordedIncident>[] = [
  {
    title: "Incident",
    grow: true,
    cell: ({ id, genre, payload }) => (
      <ForeignLink href={`/incidents/${id}`}>
        {textIn(payload, "humanized_title") || GENRE_TEXTS[genre].name}
      </ForeignLink>
    ),
  },
  {
    title: "Severity",
    bare: true,
    cell: ({ genre }) => <SeverityBadge severity={GENRE_TEXTS[genre].severity} />,
  },
  {
    title: "State",
    bare: true,
    cell: (incident) => <IncidentState {...incident} />,
  },
  {
    title: "Started",
    bare: true,
    cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
  },
  {
    title: "Events",
    numeric: true,
    cell: ({ payload }) => shownCount(numberIn(payload, "incidents_count")),
  },
  {
    title: "Accounts",
    numeric: true,
    cell: ({ payload }) => shownCount(numberIn(payload, "accounts_count")),
  },
  {
    title: "Addresses",
    numeric: true,
    cell: ({ payload }) => shownCount(numberIn(payload, "ip_addresses_count")),
  },
  {
    title: "Application",
    bare: true,
    cell: ({ applicationId }) => <ApplicationLink id={applicationId} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    name: "genre",
    title: "Genre",
    choices: GENRES.map((genre) => [genre, GENRE_TEXTS[genre].name]),
  },
  {
    name: "open",
    title: "State",
    choices: [
      ["true", "Open"],
      ["false", "Ended"],
    ],
  },
  { name: "group", title: "Group", choices: INCIDENT_GROUPS, none: "Not grouped", isLocal: true },
  { name: "sort", title: "Sort", choices: INCIDENT_SORTS, none: "Open first", isLocal: true },
];

export function IncidentsPage(): ReactNode {
  return (
    <RecordsPage
      title="Incidents"
      member="incidents"
      filters={FILTERS}
      columns={COLUMNS}
      pageSize={200}
      arrange={(loaded, filters) => {
        const { rows, groups } = arrangeIncidents(loaded, filters);
        if (!groups) return { rows };
        return {
          rows,
          groups: groups.map(({ key, name, openCount, rows: own }) => ({
            key,
            rows: own,
            title: (
              <>
                <span className="group-name">{name}</span>
                <span className="dim">
                  {countText(own.length, "incident")}
                  {openCount > 0 && `, ${shownCount(openCount)} open`}
                </span>
              </>
            ),
          })),
        };
      }}
      empty="No incidents yet. The service detects them in the events and counters that applications report."
    />
  );
}
