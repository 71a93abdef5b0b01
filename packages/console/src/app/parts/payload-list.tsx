import type { ReactNode } from "react";
import { Link } from "wouter";
import { textIn } from "../shown-value.js";
import { Foreign, Json } from "./foreign.js";

export type RawPayload = Readonly<Record<string, unknown>>;

const MAX_SHOWN = 100;

/** Payloads of a delivery, each with a link to its event or incident. */
export function PayloadList({ payloads }: { readonly payloads: readonly RawPayload[] }): ReactNode {
  return (
    <>
      <ul className="plain">
        {payloads.slice(0, MAX_SHOWN).map((payload, index) => (
          // A payload need not have an id, and the order never changes.
          <li key={index}>
            <details open={payloads.length === 1}>
              <summary>
                <Foreign>{summaryOf(payload)}</Foreign>
              </summary>
              <PayloadLink payload={payload} />
              <Json value={payload} label={`Payload ${index + 1}`} />
            </details>
          </li>
        ))}
      </ul>
      {payloads.length > MAX_SHOWN && (
        <p className="dim">{payloads.length - MAX_SHOWN} more are in the body below.</p>
      )}
    </>
  );
}

function PayloadLink({ payload }: { readonly payload: RawPayload }): ReactNode {
  const id = textIn(payload, "event_id") || textIn(payload, "id");
  const pages: Readonly<Record<string, string>> = { security_event: "events", pulse: "incidents" };
  const page = pages[textIn(payload, "service_payload_type")];
  if (id === "" || page === undefined) return null;
  return (
    <p>
      <Link href={`/${page}/${encodeURIComponent(id)}`}>
        {page === "events" ? "Show the event" : "Show the incident"}
      </Link>
    </p>
  );
}

function summaryOf(payload: RawPayload): string {
  const what =
    textIn(payload, "event_kind") || textIn(payload, "pulse_genre") || textIn(payload, "id");
  return `${textIn(payload, "service_payload_type")} ${what}`;
}
