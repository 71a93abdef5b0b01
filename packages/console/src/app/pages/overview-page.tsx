import type { Overview } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ActivityCharts } from "../parts/activity-charts.js";
import { AttackStatus } from "../parts/attack-status.js";
import { FigureCard } from "../parts/card.js";
import { FeedAdvice } from "../parts/feed-advice.js";
import { FirstStepsCard } from "../parts/first-steps-card.js";
import { LookupChart } from "../parts/lookup-chart.js";
import { Page } from "../parts/page.js";
import { RangePicker } from "../parts/range-picker.js";
import { RelativeTime } from "../parts/relative-time.js";
import { Section } from "../parts/section.js";
import { ServiceStatus } from "../parts/service-status.js";
import { TopSubjects } from "../parts/top-subjects.js";
import { useAnswer } from "../parts/use-answer.js";
import { useFilters } from "../parts/use-filters.js";
import { useRange } from "../parts/use-range.js";
import { Waiting } from "../parts/waiting.js";
import { shownBytes, shownCount } from "../shown-value.js";

const REFRESH_MS = 10_000;

/** The others are on the page of deliveries: an operator cancels them. */
const SHOWN_STATES = ["pending", "dead", "delivered"] as const;

/** Whether there is an attack, and whether everything works. */
export function OverviewPage(): ReactNode {
  const [{ applicationId }] = useFilters(["applicationId"]);
  const range = useRange("24h");
  const query = useAnswer("GET /overview", {}, { refetchInterval: REFRESH_MS });
  const { data } = query;
  return (
    <Page title="Overview" actions={<RangePicker range={range} hasAll={false} />}>
      <div className="columns">
        <AttackStatus applicationId={applicationId} refetchInterval={REFRESH_MS} />
        {data ? <ServiceStatus attention={data.attention} /> : <Waiting query={query} lines={2} />}
      </div>
      {data && (
        <>
          <FirstStepsCard overview={data} />
          <Figures overview={data} />
          <Lookups overview={data} sinceMs={range.sinceMs} />
        </>
      )}
      <Activity applicationId={applicationId} period={range.query} />
      {data && (
        <p className="dim">
          Database {shownBytes(data.usage.databaseBytes)}, {feedText(data.feeds)}.{" "}
          {data.feeds.length === 0 && <FeedAdvice />} Updated <RelativeTime at={data.at} />.
        </p>
      )}
    </Page>
  );
}

function Figures({ overview }: { readonly overview: Overview }): ReactNode {
  const { openIncidents, deliveries, waitingPayloads } = overview;
  return (
    <div className="cards">
      <FigureCard href="/incidents?open=true" count={openIncidents}>
        open incidents
      </FigureCard>
      <FigureCard href="/deliveries?state=pending" count={waitingPayloads}>
        payloads waiting
      </FigureCard>
      {SHOWN_STATES.map((state) => (
        <FigureCard key={state} href={`/deliveries?state=${state}`} count={deliveries[state]}>
          deliveries {state}
        </FigureCard>
      ))}
    </div>
  );
}

function Lookups({
  overview: { lookups, at },
  sinceMs = -Infinity,
}: {
  readonly overview: Overview;
  readonly sinceMs: number | undefined;
}): ReactNode {
  const shown = lookups.steps.filter((step) => Date.parse(step.at) + lookups.stepMs > sinceMs);
  return (
    <Section
      title="Lookups by outcome"
      about="Of all applications, counted in memory since the service started, for at most a day; with the default thresholds of gates."
    >
      <LookupChart lookups={shown} endMs={Date.parse(at)} />
    </Section>
  );
}

function Activity({
  applicationId,
  period,
}: {
  readonly applicationId: string;
  readonly period: { readonly since?: string; readonly until?: string };
}): ReactNode {
  const query = useAnswer(
    "GET /activity",
    { query: { ...period, applicationId } },
    { refetchInterval: 3 * REFRESH_MS, placeholderData: (before) => before },
  );
  const { data } = query;
  if (!data) return <Waiting query={query} lines={6} />;
  return (
    <>
      <div className="columns">
        <ActivityCharts activity={data} />
      </div>
      <div className="columns three">
        <TopSubjects title="Top addresses" subjects={data.addresses} />
        <TopSubjects title="Top accounts" subjects={data.accounts} />
        <TopSubjects
          title="Top networks"
          subjects={data.networks}
          aboutOf={(index) => addressText(data.networks[index]?.addresses ?? 0)}
        />
      </div>
      {data.addresses.length === 0 && (
        <p className="dim">
          Applications report events with a key for reports, which you add on the page of an{" "}
          <Link href="/applications">application</Link>.
        </p>
      )}
    </>
  );
}

function addressText(count: number): string {
  return count === 1 ? "1 address" : `${shownCount(count)} addresses`;
}

function feedText(feeds: Overview["feeds"]): string {
  const entries = feeds.reduce((sum, { size }) => sum + size, 0);
  return `${feeds.length === 1 ? "1 feed" : `${feeds.length} feeds`} with ${shownCount(entries)} ${entries === 1 ? "entry" : "entries"}`;
}
