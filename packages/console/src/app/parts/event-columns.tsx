import type { RecordedEvent } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { kindText } from "../kind-text.js";
import { textIn } from "../shown-value.js";
import { Badge } from "./badge.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";
import type { Column } from "./row-list.js";

/** An event that was reported later than this is shown with the time at which it occurred. */
const LATE_MS = 300_000;

/** Columns of every table of security events, newest report first. */
export const EVENT_COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    title: "Event",
    cell: ({ id, kind }) => (
      <ForeignLink href={`/events/${encodeURIComponent(id)}`}>{kindText(kind)}</ForeignLink>
    ),
  },
  {
    title: "Description",
    grow: true,
    bare: true,
    cell: ({ payload }) => (
      <Foreign>{textIn(payload, "humanized_description") || "erased"}</Foreign>
    ),
  },
  { title: "Risk", bare: true, cell: ({ highRisk }) => highRisk && <Badge>high</Badge> },
  { title: "Received", bare: true, cell: (event) => <Received event={event} /> },
];

/** The time that lists are ordered by, and the other one if it is far from it. */
function Received({
  event: { receivedAt, occurredAt },
}: {
  readonly event: RecordedEvent;
}): ReactNode {
  const isLate = Math.abs(Date.parse(receivedAt) - Date.parse(occurredAt)) > LATE_MS;
  return (
    <>
      <RelativeTime at={receivedAt} />
      {isLate && (
        <span className="dim">
          , occurred <RelativeTime at={occurredAt} />
        </span>
      )}
    </>
  );
}
