import type { RecordedIncident } from "@riskgate/api-types";
import { INCIDENT_GENRES } from "@riskgate/core";
import type { ReactNode } from "react";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { ForeignLink } from "../parts/foreign.js";
import { type Filter, RecordsPage } from "../parts/records-page.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { textIn } from "../shown-value.js";

const COLUMNS: readonly Column<RecordedIncident>[] = [
  {
    title: "Incident",
    cell: ({ id, genre, payload }) => (
      <ForeignLink href={`/incidents/${id}`}>
        {textIn(payload, "humanized_title") || genre}
      </ForeignLink>
    ),
  },
  { title: "Genre", cell: ({ genre }) => <span className="word">{genre}</span> },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "Ended", cell: ({ endedAt }) => (endedAt ? <Time at={endedAt} /> : <Tag>ongoing</Tag>) },
  { title: "Events", cell: ({ payload }) => textIn(payload, "incidents_count") },
  { title: "Accounts", cell: ({ payload }) => textIn(payload, "accounts_count") },
  { title: "Addresses", cell: ({ payload }) => textIn(payload, "ip_addresses_count") },
];

const FILTERS: readonly Filter[] = [
  { name: "genre", title: "Genre", choices: Object.keys(INCIDENT_GENRES) },
  {
    name: "open",
    title: "State",
    choices: [
      ["true", "Open"],
      ["false", "Ended"],
    ],
  },
];

export function IncidentsPage(): ReactNode {
  return (
    <RecordsPage
      title="Incidents"
      member="incidents"
      filters={FILTERS}
      columns={COLUMNS}
      empty="No incidents yet. The service detects them in the events and counters that applications report."
    />
  );
}
