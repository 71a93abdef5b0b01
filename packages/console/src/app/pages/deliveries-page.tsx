import type { Delivery } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { DELIVERY_STATES } from "../delivery-states.js";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/row-list.js";
import { Foreign } from "../parts/foreign.js";
import { RecordsPage } from "../parts/records-page.js";
import { RetryAll } from "../parts/retry-all.js";
import { Badge } from "../parts/badge.js";
import { NextAttempt } from "../parts/next-attempt.js";
import { RelativeTime } from "../parts/relative-time.js";
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
  {
    title: "Application",
    bare: true,
    cell: ({ applicationId }) => <ApplicationLink id={applicationId} />,
  },
  { title: "State", bare: true, cell: ({ state }) => <Badge>{state}</Badge> },
  { title: "Created", bare: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { title: "Payloads", numeric: true, cell: ({ payloadCount }) => payloadCount },
  { title: "Size", numeric: true, cell: ({ bodyBytes }) => shownBytes(bodyBytes) },
  { title: "Attempts", numeric: true, cell: ({ attempts }) => attempts },
  { title: "Next attempt", cell: (delivery) => <NextAttempt delivery={delivery} /> },
  {
    title: "Last answer",
    grow: true,
    cell: ({ lastStatus, lastError }) => <Foreign>{String(lastStatus ?? lastError ?? "")}</Foreign>,
  },
];

export function DeliveriesPage(): ReactNode {
  return (
    <RecordsPage
      title="Deliveries"
      member="deliveries"
      filters={[{ name: "state", title: "State", choices: DELIVERY_STATES }]}
      columns={COLUMNS}
      actions={({ state, applicationId }) =>
        (state === "dead" || state === "cancelled") && (
          <RetryAll state={state} applicationId={applicationId} />
        )
      }
      empty={
        <>
          No deliveries yet. Give an <Link href="/applications">application</Link> a webhook URL,
          and send a test from its page.
        </>
      }
    />
  );
}
