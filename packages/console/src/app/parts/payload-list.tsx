import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { visible } from "../foreign-text.js";
import { kindText } from "../kind-text.js";
import { payloadText } from "../payload-text.js";
import { shownCount, textIn } from "../shown-value.js";
import { Button } from "./button.js";
import { Foreign, Json } from "./foreign.js";

export type RawPayload = Readonly<Record<string, unknown>>;

const PAGE = 20;

/** Payloads of a delivery, counted by type and page by page, each with a link to its record. */
export function PayloadList({ payloads }: { readonly payloads: readonly RawPayload[] }): ReactNode {
  const [type, setType] = useState("");
  const [page, setPage] = useState(0);
  const counts = countTypes(payloads);
  const chosen = payloads.filter((one) => type === "" || typeOf(one) === type);
  const from = page * PAGE;
  const pages = Math.ceil(chosen.length / PAGE);
  const choose = (to: string): void => {
    setType(to);
    setPage(0);
  };
  return (
    <>
      {payloads.length > 1 && (
        <div className="segments" role="group" aria-label="Type">
          <button type="button" aria-pressed={type === ""} onClick={() => choose("")}>
            All {shownCount(payloads.length)}
          </button>
          {[...counts].map(([name, count]) => (
            <button
              key={name}
              type="button"
              aria-pressed={type === name}
              onClick={() => choose(name)}
            >
              {visible(payloadText(name))} {shownCount(count)}
            </button>
          ))}
        </div>
      )}
      <ul className="plain">
        {chosen.slice(from, from + PAGE).map((payload, index) => (
          // A payload need not have an id, and the order never changes.
          <li key={`${type} ${from + index}`}>
            <details open={payloads.length === 1}>
              <summary>
                <Summary payload={payload} />
              </summary>
              <PayloadLink payload={payload} />
              <Json value={payload} label={`Payload ${from + index + 1}`} />
            </details>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <div className="row between">
          <span className="dim">
            {shownCount(from + 1)} to {shownCount(Math.min(from + PAGE, chosen.length))} of{" "}
            {shownCount(chosen.length)}
          </span>
          <div className="actions">
            <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
              Previous
            </Button>
            <Button disabled={page === pages - 1} onClick={() => setPage(page + 1)}>
              Next
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function typeOf(payload: RawPayload): string {
  return textIn(payload, "service_payload_type") || "unknown";
}

function countTypes(payloads: readonly RawPayload[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of payloads) counts.set(typeOf(one), (counts.get(typeOf(one)) ?? 0) + 1);
  return counts;
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

/** An event is named by its kind. */
function Summary({ payload }: { readonly payload: RawPayload }): ReactNode {
  const kind = textIn(payload, "event_kind");
  const title = textIn(payload, "humanized_description") || textIn(payload, "humanized_title");
  return (
    <>
      <b>
        <Foreign>{kind === "" ? payloadText(typeOf(payload)) : kindText(kind)}</Foreign>
      </b>{" "}
      <span className="soft">
        <Foreign>{title || textIn(payload, "pulse_genre") || textIn(payload, "id")}</Foreign>
      </span>
    </>
  );
}
