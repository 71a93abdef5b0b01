import type { ReactNode } from "react";
import { Link } from "wouter";
import { type Delivery, DELIVERY_STATES } from "../administration.js";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { Page } from "../parts/page.js";
import { PagesOf } from "../parts/pages-of.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { useFilters } from "../parts/use-filters.js";
import { shortId, shownBytes } from "../shown-value.js";

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: "Delivery",
    cell: ({ id }) => (
      <Link className="mono" href={`/deliveries/${id}`}>
        {shortId(id)}
      </Link>
    ),
  },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "State", cell: ({ state }) => <Tag>{state}</Tag> },
  { title: "Made", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Payloads", cell: ({ payloadCount }) => payloadCount },
  { title: "Size", cell: ({ bodyBytes }) => shownBytes(bodyBytes) },
  { title: "Attempts", cell: ({ attempts }) => attempts },
  {
    title: "Last answer",
    cell: ({ lastStatus, lastError }) => <Foreign>{String(lastStatus ?? lastError ?? "")}</Foreign>,
  },
];

/** The log of deliveries. */
export function DeliveriesPage(): ReactNode {
  const [filters, setFilter] = useFilters(["applicationId", "state"]);
  return (
    <Page title="Deliveries">
      <div className="row">
        <ApplicationSelect
          value={filters.applicationId}
          onChange={(id) => setFilter("applicationId", id)}
          none="All"
        />
        <label>
          State
          <select
            value={filters.state}
            onChange={(event) => setFilter("state", event.target.value)}
          >
            <option value="">All</option>
            {DELIVERY_STATES.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </label>
      </div>
      <div className="panel">
        <PagesOf
          label="Deliveries"
          path="/deliveries"
          member="deliveries"
          query={filters}
          columns={COLUMNS}
          empty={
            <>
              No deliveries yet. Give an <Link href="/applications">application</Link> a webhook
              URL, and send a test from its page.
            </>
          }
        />
      </div>
    </Page>
  );
}
