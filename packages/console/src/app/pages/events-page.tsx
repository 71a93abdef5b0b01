import type { RecordedEvent } from "@riskgate/api-types";
import { EVENT_KINDS } from "@riskgate/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { kindText } from "../kind-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { EVENT_COLUMNS } from "../parts/event-columns.js";
import { type Filter, RecordsPage } from "../parts/records-page.js";
import type { Column } from "../parts/row-list.js";

const COLUMNS: readonly Column<RecordedEvent>[] = [
  ...EVENT_COLUMNS,
  {
    title: "Application",
    bare: true,
    cell: ({ applicationId }) => <ApplicationLink id={applicationId} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    name: "kind",
    title: "Kind",
    choices: EVENT_KINDS.map((kind) => [kind, `${kindText(kind)} (${kind})`]),
  },
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
