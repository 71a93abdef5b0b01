import type { RecordedEvent } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { EVENT_COLUMNS } from "../parts/event-columns.js";
import { RecordsPage } from "../parts/records-page.js";

const COLUMNS: readonly Column<RecordedEvent>[] = [
  ...EVENT_COLUMNS,
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
];

const FILTERS = [
  { name: "kind", title: "Kind" },
  { name: "ip", title: "Address" },
  { name: "account", title: "Account" },
];

export function EventsPage(): ReactNode {
  return (
    <RecordsPage
      title="Events"
      member="events"
      filters={FILTERS}
      columns={COLUMNS}
      empty={
        <>
          No events yet. An application reports them with a key for reports, which you add on its
          page under <Link href="/applications">Applications</Link>.
        </>
      }
    />
  );
}
