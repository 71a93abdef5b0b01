import type { ReactNode } from "react";
import type { IncidentHistory, Occurrence } from "@riskgate/api-types";
import { blockedText } from "../blocked-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { EVENT_COLUMNS } from "../parts/event-columns.js";
import { Facts, Foreign, ForeignLink, Json } from "../parts/foreign.js";
import { Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { ResponseTable } from "../parts/response-table.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { targetsOf, textIn } from "../shown-value.js";

const NAMES = (what: "ip" | "account"): readonly Column<Occurrence>[] => [
  {
    title: what === "ip" ? "Address" : "Account",
    cell: ({ name }) => (
      <ForeignLink href={`/events?${what}=${encodeURIComponent(name)}`}>{name}</ForeignLink>
    ),
  },
  { title: "Events", cell: ({ events }) => events },
];
const ADDRESSES = NAMES("ip");
const ACCOUNTS = NAMES("account");

/** One incident with its events and responses; the `url` of its payload links here. */
export function IncidentPage({ id }: { readonly id: string }): ReactNode {
  const query = useAnswer("GET /incidents/{id}", { parts: { id } });
  const { data } = query;
  return (
    <Page title={(data && textIn(data.incident.payload, "humanized_title")) || "Incident"}>
      <Waiting query={query} />
      {data && <Incident history={data} />}
    </Page>
  );
}

function Incident({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { incident, events, isPartial, addresses, accounts, responses } = history;
  const { payload, endedAt } = incident;
  const places = textIn(payload, "humanized_geos");
  return (
    <>
      <div className="columns">
        <div className="stack">
          <Panel title="Incident">
            <Facts
              facts={[
                ["Id", <code key="id">{incident.id}</code>],
                ["Genre", incident.genre],
                ["Application", <ApplicationLink key="app" id={incident.applicationId} />],
                ["About", <Foreign key="about">{incident.subject || "the application"}</Foreign>],
                ["Started", <Time key="started" at={incident.startedAt} />],
                [
                  "Ended",
                  endedAt ? <Time key="ended" at={endedAt} /> : <Tag key="ended">ongoing</Tag>,
                ],
                ["Events", `${textIn(payload, "incidents_count")} when it was last delivered`],
                ["Places", places === "" ? "not known" : <Foreign key="places">{places}</Foreign>],
                ["Blocked", blockedText(history)],
              ]}
            />
          </Panel>
          <Panel title="Addresses">
            <DataTable
              label="Addresses"
              columns={ADDRESSES}
              rows={addresses}
              empty="None on record."
            />
          </Panel>
          <Panel title="Accounts">
            <DataTable
              label="Accounts"
              columns={ACCOUNTS}
              rows={accounts}
              empty="None on record."
            />
          </Panel>
        </div>
        <Panel title="Time line">
          <TimeLine history={history} />
        </Panel>
      </div>
      <Panel title="The response that followed">
        <ResponseTable responses={responses} />
      </Panel>
      <Panel title="Events">
        {isPartial && <p className="dim">Only the newest are shown and counted.</p>}
        <DataTable
          label="Events"
          columns={EVENT_COLUMNS}
          rows={events}
          empty="None: it comes from counters, or its events are no longer stored."
        />
      </Panel>
      <Panel title="Payload">
        <Json value={payload} label="Payload" />
      </Panel>
    </>
  );
}

const MAX_STEPS = 12;

/** Events and responses in order; between the first and the last few, some are omitted. */
function TimeLine({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { incident, events, responses } = history;
  const steps = [
    { at: incident.startedAt, text: "The incident begins" },
    ...events.map(({ occurredAt, kind, payload }) => ({
      at: occurredAt,
      text: `${kind}: ${textIn(payload, "humanized_description")}`,
    })),
    ...responses.map((one) => ({
      at: one.createdAt,
      text: `Response about ${targetsOf(one).join(", ")}`,
    })),
    ...(incident.endedAt ? [{ at: incident.endedAt, text: "The incident has ended" }] : []),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const left = steps.length - MAX_STEPS;
  const shown =
    left > 0 ? [...steps.slice(0, MAX_STEPS / 2), ...steps.slice(-MAX_STEPS / 2)] : steps;
  return (
    <>
      <ol className="time-line">
        {shown.map(({ at, text }, index) => (
          // Two events can have the same text and time.
          <li key={index}>
            <Time at={at} />
            <Foreign>{text}</Foreign>
          </li>
        ))}
      </ol>
      {left > 0 && <p className="dim">{left} in between are omitted.</p>}
    </>
  );
}
