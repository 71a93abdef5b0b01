import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Incident } from "../administration.js";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { Page } from "../parts/page.js";
import { PagesOf } from "../parts/pages-of.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { useFilters } from "../parts/use-filters.js";
import { useVocabulary } from "../parts/vocabulary.js";
import { textIn } from "../shown-value.js";

const COLUMNS: readonly Column<Incident>[] = [
  {
    title: "Incident",
    cell: ({ id, genre, payload }) => (
      <Link href={`/incidents/${id}`}>
        <Foreign>{textIn(payload, "humanized_title") || genre}</Foreign>
      </Link>
    ),
  },
  { title: "Genre", cell: ({ genre }) => <span className="word">{genre}</span> },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: "Ended", cell: ({ endedAt }) => (endedAt ? <Time at={endedAt} /> : <Tag>goes on</Tag>) },
  { title: "Events", cell: ({ payload }) => textIn(payload, "incidents_count") },
  { title: "Accounts", cell: ({ payload }) => textIn(payload, "accounts_count") },
  { title: "Addresses", cell: ({ payload }) => textIn(payload, "ip_addresses_count") },
];

/** Incidents of all applications. */
export function IncidentsPage(): ReactNode {
  const [filters, setFilter] = useFilters(["applicationId", "genre", "open"]);
  const { incidentGenres } = useVocabulary();
  return (
    <Page title="Incidents">
      <div className="row">
        <ApplicationSelect
          value={filters.applicationId}
          onChange={(id) => setFilter("applicationId", id)}
          none="All"
        />
        <label>
          Genre
          <select
            value={filters.genre}
            onChange={(event) => setFilter("genre", event.target.value)}
          >
            <option value="">All</option>
            {incidentGenres.map((genre) => (
              <option key={genre}>{genre}</option>
            ))}
          </select>
        </label>
        <label>
          State
          <select value={filters.open} onChange={(event) => setFilter("open", event.target.value)}>
            <option value="">All</option>
            <option value="true">Open</option>
            <option value="false">Ended</option>
          </select>
        </label>
      </div>
      <div className="panel">
        <PagesOf
          label="Incidents"
          path="/incidents"
          member="incidents"
          query={filters}
          columns={COLUMNS}
          empty="No incidents yet. They are made from the events and counters that applications report."
        />
      </div>
    </Page>
  );
}
