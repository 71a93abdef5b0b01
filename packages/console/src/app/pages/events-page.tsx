import type { ReactNode } from "react";
import { Link } from "wouter";
import type { SecurityEvent } from "../administration.js";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { EVENT_COLUMNS } from "../parts/event-columns.js";
import { Page } from "../parts/page.js";
import { PagesOf } from "../parts/pages-of.js";
import { TextFilter } from "../parts/text-filter.js";
import { useFilters } from "../parts/use-filters.js";

const COLUMNS: readonly Column<SecurityEvent>[] = [
  ...EVENT_COLUMNS,
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
];

/** Security events of all applications. */
export function EventsPage(): ReactNode {
  const [filters, setFilter] = useFilters(["applicationId", "kind", "ip", "account"]);
  return (
    <Page title="Events">
      <div className="row">
        <ApplicationSelect
          value={filters.applicationId}
          onChange={(id) => setFilter("applicationId", id)}
          none="All"
        />
        <TextFilter
          key={`kind ${filters.kind}`}
          title="Kind"
          value={filters.kind}
          onChange={(kind) => setFilter("kind", kind)}
        />
        <TextFilter
          key={`ip ${filters.ip}`}
          title="Address"
          value={filters.ip}
          onChange={(ip) => setFilter("ip", ip)}
        />
        <TextFilter
          key={`account ${filters.account}`}
          title="Account"
          value={filters.account}
          onChange={(account) => setFilter("account", account)}
        />
      </div>
      <div className="panel">
        <PagesOf
          label="Events"
          path="/events"
          member="events"
          query={filters}
          columns={COLUMNS}
          empty={
            <>
              No events yet. An application reports them with a key for reports, which you add on
              its page under <Link href="/applications">Applications</Link>.
            </>
          }
        />
      </div>
    </Page>
  );
}
