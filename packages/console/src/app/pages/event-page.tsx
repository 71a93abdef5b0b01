import type { ReactNode } from "react";
import type { EventHistory } from "@riskgate/api-types";
import { ApplicationLink } from "../parts/applications.js";
import { Facts, Foreign, ForeignLink, Json } from "../parts/foreign.js";
import { kindText } from "../kind-text.js";
import { Waiting } from "../parts/waiting.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { ResponseTable } from "../parts/response-table.js";
import { RiskBadge } from "../parts/risk-badge.js";
import { Moment } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { visible } from "../foreign-text.js";
import { accountsIn, addressesIn } from "../event-subjects.js";
import { SubjectActions } from "../parts/subject-actions.js";
import { BlockList } from "../parts/subject-sections.js";
import { textIn } from "../shown-value.js";
import { accountPath, addressPath } from "../subject-link.js";

/** The events with an id, at most one per application; `event_url` of a payload links here. */
export function EventPage({ id }: { readonly id: string }): ReactNode {
  const query = useAnswer("GET /events/{id}", { parts: { id } });
  const history = query.data?.events[0];
  const first = history?.event;
  return (
    <Page
      title={first ? kindText(first.kind) : "Event"}
      about={
        first && <Foreign>{textIn(first.payload, "humanized_description") || "erased"}</Foreign>
      }
      actions={history && <Actions history={history} />}
    >
      <Waiting query={query} />
      {query.data?.events.map((history) => (
        <Event key={history.event.seq} history={history} />
      ))}
    </Page>
  );
}

function Actions({ history: { event, blocks } }: { readonly history: EventHistory }): ReactNode {
  const ips = addressesIn(event.payload);
  if (ips.length === 0) return null;
  const isBlocked = blocks.some(({ type }) => type === "network");
  return <SubjectActions subjects={{ ips }} isBlocked={isBlocked} isAllowed={false} />;
}

function Event({
  history: { event, incidents, responses, blocks },
}: {
  readonly history: EventHistory;
}): ReactNode {
  const { payload } = event;
  return (
    <>
      <div className="page-columns">
        <div className="stack">
          <Section title="Details">
            <Facts
              facts={[
                [
                  "Addresses",
                  <Names key="ips" names={addressesIn(payload)} pathOf={addressPath} />,
                ],
                [
                  "Accounts",
                  <Names key="accounts" names={accountsIn(payload)} pathOf={accountPath} />,
                ],
                ["Risk", <RiskBadge key="risk" isHigh={event.highRisk} />],
                ["Outcome", stoppedText(payload)],
                ["Occurred", <Moment key="occurred" at={event.occurredAt} />],
                ["Received", <Moment key="received" at={event.receivedAt} />],
                ["Application", <ApplicationLink key="app" id={event.applicationId} />],
                ["Kind", <code key="kind">{visible(event.kind)}</code>],
                ["Category", <Foreign key="category">{event.category}</Foreign>],
                [
                  "Id",
                  <code key="id">
                    <Foreign>{event.id}</Foreign>
                  </code>,
                ],
              ]}
            />
          </Section>
          <Section title="Responses">
            <ResponseTable responses={responses} />
          </Section>
        </div>
        <div className="stack">
          <Section title="Blocked now">
            <BlockList blocks={blocks} empty="No address or account of it is blocked." hasTarget />
          </Section>
          <Section title="Incidents">
            {incidents.length === 0 && <p className="dim">No incidents.</p>}
            <ul className="plain">
              {incidents.map(({ id, genre, payload: { humanized_title: title } }) => (
                <li key={id}>
                  <ForeignLink href={`/incidents/${id}`}>
                    {typeof title === "string" ? title : genre}
                  </ForeignLink>
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </div>
      <Section title="Payload">
        <Json value={payload} label="Payload" />
      </Section>
    </>
  );
}

/** Whether the application stopped the request of the event. */
function stoppedText({ blocked }: EventHistory["event"]["payload"]): string {
  if (blocked === true) return "The request was stopped";
  return blocked === false ? "The request was not stopped" : "";
}

function Names({
  names,
  pathOf,
}: {
  readonly names: readonly string[];
  readonly pathOf: (name: string) => string;
}): ReactNode {
  if (names.length === 0) return <span className="dim">none</span>;
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ", "}
      <ForeignLink href={pathOf(name)}>{name}</ForeignLink>
    </span>
  ));
}
