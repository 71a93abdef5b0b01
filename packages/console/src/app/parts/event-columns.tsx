import type { RecordedEvent } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { accountsIn, addressesIn } from "../event-subjects.js";
import { kindText } from "../kind-text.js";
import { textIn } from "../shown-value.js";
import { accountPath, addressPath } from "../subject-link.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";
import { RiskBadge } from "./risk-badge.js";
import type { Column } from "./row-list.js";

/** An event that was reported later than this is shown with the time at which it occurred. */
const LATE_MS = 300_000;

const EVENT: Column<RecordedEvent> = {
  title: "Event",
  grow: true,
  cell: ({ id, kind }) => (
    <ForeignLink href={`/events/${encodeURIComponent(id)}`}>{kindText(kind)}</ForeignLink>
  ),
};
const DESCRIBED_EVENT: Column<RecordedEvent> = {
  ...EVENT,
  cell: (event) => (
    <>
      {EVENT.cell(event)}{" "}
      <span className="dim">
        <Foreign>{textIn(event.payload, "humanized_description") || "erased"}</Foreign>
      </span>
    </>
  ),
};
const ADDRESS: Column<RecordedEvent> = {
  title: "Address",
  name: true,
  cell: ({ payload }) => <Names names={addressesIn(payload)} pathOf={addressPath} />,
};
const ACCOUNT: Column<RecordedEvent> = {
  title: "Account",
  name: true,
  cell: ({ payload }) => <Names names={accountsIn(payload)} pathOf={accountPath} />,
};
const REST: readonly Column<RecordedEvent>[] = [
  { title: "Risk", bare: true, cell: ({ highRisk }) => <RiskBadge isHigh={highRisk} /> },
  { title: "Received", bare: true, cell: (event) => <Received event={event} /> },
];

/** Columns of tables of security events, newest report first. */
export const EVENT_COLUMNS: readonly Column<RecordedEvent>[] = [
  DESCRIBED_EVENT,
  ADDRESS,
  ACCOUNT,
  ...REST,
];

/** Columns of tables beside other sections, which are narrower. */
export const SHORT_EVENT_COLUMNS: readonly Column<RecordedEvent>[] = [
  EVENT,
  ADDRESS,
  ACCOUNT,
  ...REST,
];

/** The address is in the title of the page. */
export const ADDRESS_EVENT_COLUMNS = SHORT_EVENT_COLUMNS.filter((one) => one !== ADDRESS);

/** The account is in the title of the page. */
export const ACCOUNT_EVENT_COLUMNS = SHORT_EVENT_COLUMNS.filter((one) => one !== ACCOUNT);

/** The first address or account of an event, and the number of others. */
function Names({
  names: [first, ...others],
  pathOf,
}: {
  readonly names: readonly string[];
  readonly pathOf: (name: string) => string;
}): ReactNode {
  if (first === undefined) return null;
  return (
    <>
      <ForeignLink href={pathOf(first)}>{first}</ForeignLink>
      {others.length > 0 && <span className="dim"> and {others.length} more</span>}
    </>
  );
}

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
