import type { Delivery } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { DELIVERY_STATES } from "../delivery-states.js";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { RecordsPage } from "../parts/records-page.js";
import { RetryAll } from "../parts/retry-all.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
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
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Payloads", cell: ({ payloadCount }) => payloadCount },
  { title: "Size", cell: ({ bodyBytes }) => shownBytes(bodyBytes) },
  { title: "Attempts", cell: ({ attempts }) => attempts },
  {
    title: "Last answer",
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
