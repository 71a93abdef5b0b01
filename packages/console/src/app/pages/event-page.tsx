import type { ReactNode } from "react";
import type { EventHistory } from "@riskgate/api-types";
import { ApplicationLink } from "../parts/applications.js";
import { Facts, Foreign, ForeignLink, Json } from "../parts/foreign.js";
import { Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { ResponseTable } from "../parts/response-table.js";
import { Time } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { textIn } from "../shown-value.js";

/** The events with an id, at most one per application; `event_url` of a payload links here. */
export function EventPage({ id }: { readonly id: string }): ReactNode {
  const query = useAnswer("GET /events/{id}", { parts: { id } });
  return (
    <Page title="Event">
      <Waiting query={query} />
      {query.data?.events.map((history) => (
        <Event key={history.event.seq} history={history} />
      ))}
    </Page>
  );
}

function Event({
  history: { event, incidents, responses },
}: {
  readonly history: EventHistory;
}): ReactNode {
  const { payload } = event;
  return (
    <>
      <div className="columns">
        <Panel title={event.kind}>
          <Facts
            facts={[
              [
                "Description",
                <Foreign key="text">
                  {textIn(payload, "humanized_description") || "erased"}
                </Foreign>,
              ],
              [
                "Id",
                <code key="id">
                  <Foreign>{event.id}</Foreign>
                </code>,
              ],
              ["Application", <ApplicationLink key="app" id={event.applicationId} />],
              ["Category", <Foreign key="category">{event.category}</Foreign>],
              ["Occurred", <Time key="occurred" at={event.occurredAt} />],
              ["Received", <Time key="received" at={event.receivedAt} />],
              ["High risk", event.highRisk ? "yes" : "no"],
            ]}
          />
        </Panel>
        <Panel title="Incidents">
          {incidents.length === 0 && <p className="dim">It belongs to no incident.</p>}
          <ul className="plain">
            {incidents.map(({ id, genre, payload: { humanized_title: title } }) => (
              <li key={id}>
                <ForeignLink href={`/incidents/${id}`}>
                  {typeof title === "string" ? title : genre}
                </ForeignLink>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
      <Panel title="The response that followed">
        <ResponseTable responses={responses} />
      </Panel>
      <Panel title="Payload">
        <Json value={payload} label="Payload" />
      </Panel>
    </>
  );
}
