import type { Overview } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { DELIVERY_STATES } from "../delivery-states.js";
import { FeedTable } from "../parts/feed-table.js";
import { Foreign, ForeignLink } from "../parts/foreign.js";
import { LookupChart } from "../parts/lookup-chart.js";
import { Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { Time } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { shownBytes, shownCount } from "../shown-value.js";

const REFRESH_MS = 10_000;

/** Pages that help with each problem. */
const PLACES: Readonly<Record<string, string>> = {
  deliveries_dead: "/deliveries?state=dead",
  payloads_waiting: "/deliveries?state=pending",
  feed_old: "/feeds",
  feed_empty: "/feeds",
};

export function OverviewPage(): ReactNode {
  const query = useAnswer("GET /overview", {}, { refetchInterval: REFRESH_MS });
  const { data } = query;
  return (
    <Page title="Overview">
      <Waiting query={query} />
      {data && (
        <>
          <Attention attention={data.attention} />
          <div className="cards">
            {DELIVERY_STATES.map((state) => (
              <Link key={state} className="card" href={`/deliveries?state=${state}`}>
                <strong>{shownCount(data.deliveries[state])}</strong>
                <span>deliveries {state}</span>
              </Link>
            ))}
            <Link className="card" href="/incidents?open=true">
              <strong>{shownCount(data.openIncidents)}</strong>
              <span>open incidents</span>
            </Link>
            <div className="card">
              <strong>{shownCount(data.waitingPayloads)}</strong>
              <span>payloads waiting</span>
            </div>
            <Link className="card" href="/applications">
              <strong>{shownCount(data.applications)}</strong>
              <span>applications</span>
            </Link>
            <div className="card">
              <strong>{shownBytes(data.usage.databaseBytes)}</strong>
              <span>database</span>
            </div>
          </div>
          <Panel title="Lookups of the last day">
            <LookupChart lookups={data.lookups} />
            <p className="dim">
              Since the service started, at most a day; with the default thresholds of gates.
            </p>
          </Panel>
          <Panel title="Feeds" actions={<Link href="/feeds">Show the feeds</Link>}>
            <FeedTable feeds={data.feeds} />
          </Panel>
          <p className="dim">
            As of <Time at={data.at} />
          </p>
        </>
      )}
    </Page>
  );
}

function Attention({ attention }: Pick<Overview, "attention">): ReactNode {
  return (
    <Panel title="Needs attention">
      {attention.length === 0 && <p className="good">Nothing.</p>}
      <ul className="plain">
        {attention.map(({ what, message, applicationId }) => {
          const place = applicationId ? `/applications/${applicationId}` : PLACES[what];
          return (
            <li key={message} className="notice warn">
              {place === undefined ? (
                <Foreign>{message}</Foreign>
              ) : (
                <ForeignLink href={place}>{message}</ForeignLink>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
