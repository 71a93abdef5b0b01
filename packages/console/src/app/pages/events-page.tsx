import type { RecordedEvent } from "@riskgate/api-types";
import { EVENT_KINDS } from "@riskgate/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { foldEvents, type EventFold } from "../fold-events.js";
import { kindText } from "../kind-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { EVENT_COLUMNS } from "../parts/event-columns.js";
import { type Filter, RecordsPage } from "../parts/records-page.js";
import { RelativeTime } from "../parts/relative-time.js";
import type { Column, RowGroup } from "../parts/row-list.js";
import { countText } from "../shown-value.js";

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
  {
    name: "repeats",
    title: "Repeats",
    choices: [["shown", "Shown"]],
    none: "Folded",
    isLocal: true,
  },
];

export function EventsPage(): ReactNode {
  return (
    <RecordsPage
      title="Events"
      member="events"
      filters={FILTERS}
      columns={COLUMNS}
      pageSize={200}
      arrange={(rows, { repeats }) =>
        repeats === "shown" ? { rows } : { rows, groups: foldEvents(rows).map(groupOf) }
      }
      empty={
        <>
          No events yet. An application reports them with a key for reports, which you add on its
          page under <Link href="/applications">Applications</Link>.
        </>
      }
    />
  );
}

function groupOf({ events, addresses, accounts }: EventFold): RowGroup<RecordedEvent> {
  const [newest] = events;
  // The oldest stays the same when newer ones arrive.
  const key = String(events.at(-1)?.seq);
  if (events.length === 1) return { key, rows: events };
  return {
    key,
    rows: events,
    isClosed: true,
    title: (
      <>
        <span>{kindText(newest.kind)}</span>
        <span className="dim">
          {[
            countText(events.length, "event"),
            addresses > 0 && countText(addresses, "address", "addresses"),
            accounts > 0 && countText(accounts, "account"),
          ]
            .filter(Boolean)
            .join(" \u00b7 ")}
        </span>
        <span className="dim end">
          <RelativeTime at={newest.receivedAt} />
        </span>
      </>
    ),
  };
}
