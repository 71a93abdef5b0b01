import type { AdminAnswer, Overview } from "@riskgate/api-types";
import { REJECT_ABOVE } from "@riskgate/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { axisOf } from "../chart-steps.js";
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
import { periodText } from "../range.js";
import { countText, shownBytes } from "../shown-value.js";

const REFRESH_MS = 10_000;

type Activity = AdminAnswer<"GET /activity">;

/** Whether there is an attack, and whether everything works. */
export function OverviewPage(): ReactNode {
  const [{ applicationId }] = useFilters(["applicationId"]);
  const range = useRange("24h");
  const query = useAnswer("GET /overview", {}, { refetchInterval: REFRESH_MS });
  const activity = useAnswer(
    "GET /activity",
    { query: { ...range.query, applicationId } },
    { refetchInterval: 3 * REFRESH_MS, placeholderData: (before) => before },
  );
  const { data } = query;
  return (
    <Page title="Overview" actions={<RangePicker range={range} hasAll={false} />}>
      <AttackStatus applicationId={applicationId} refetchInterval={REFRESH_MS} />
      {data ? <ServiceStatus attention={data.attention} /> : <Waiting query={query} lines={2} />}
      {data && <FirstStepsCard overview={data} />}
      {data && activity.data ? (
        <Charts overview={data} activity={activity.data} {...range} />
      ) : (
        <Waiting query={activity} lines={6} />
      )}
      {activity.data && (
        <Tops activity={activity.data} about={`Events ${periodText(range.text)}.`} />
      )}
      {data && (
        <p className="dim">
          Database {shownBytes(data.usage.databaseBytes)}, {feedText(data.feeds)}.{" "}
          {data.feeds.length === 0 && <FeedAdvice />} Updated <RelativeTime at={data.at} />.
        </p>
      )}
    </Page>
  );
}

/** Figures that an operator acts on, and charts that cover the same time. */
function Charts({
  overview,
  activity,
  sinceMs,
  untilMs,
}: {
  readonly overview: Overview;
  readonly activity: Activity;
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}): ReactNode {
  const { at, lookups, openIncidents, deliveries } = overview;
  const endMs = untilMs ?? Date.parse(at);
  const oldestMs = [
    lookups.steps[0],
    activity.steps.find((step) => step.events + step.openIncidents > 0),
  ].flatMap((step) => (step ? [Date.parse(step.at)] : []));
  const axis = axisOf({ sinceMs, endMs, oldestMs });
  const shown = lookups.steps.filter((step) => {
    const startMs = Date.parse(step.at);
    return startMs + lookups.stepMs > axis.fromMs && startMs < endMs;
  });
  const undelivered = deliveries.pending + deliveries.dead;
  return (
    <>
      <div className="cards">
        <FigureCard
          href="/incidents?open=true"
          count={openIncidents}
          tone={openIncidents > 0 ? "warn" : ""}
        >
          open incidents
        </FigureCard>
        <FigureCard href="/events" count={totalOf(activity.steps, "highRisk")}>
          events of high risk
        </FigureCard>
        <FigureCard
          href="/rehearsal"
          count={totalOf(shown, "allow") + totalOf(shown, "flag") + totalOf(shown, "reject")}
        >
          lookups
        </FigureCard>
        <FigureCard href="/rehearsal" count={totalOf(shown, "reject")}>
          lookups above {REJECT_ABOVE}, to reject
        </FigureCard>
        <FigureCard
          href={`/deliveries?state=${deliveries.dead > 0 ? "dead" : "pending"}`}
          count={undelivered}
          tone={deliveries.dead > 0 ? "bad" : ""}
        >
          deliveries waiting or dead
        </FigureCard>
      </div>
      <Section
        title="Lookups by outcome, last 24 h"
        about="Of all applications since the service started, with the default thresholds of gates. The service keeps these counts for a day."
      >
        <LookupChart lookups={shown} axis={axis} />
      </Section>
      <ActivityCharts activity={activity} axis={axis} />
    </>
  );
}

function totalOf<Name extends string>(
  steps: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return steps.reduce((sum, step) => sum + step[name], 0);
}

function Tops({
  activity,
  about,
}: {
  readonly activity: Activity;
  readonly about: string;
}): ReactNode {
  const { addresses, accounts, networks } = activity;
  return (
    <>
      <div className="columns three">
        <TopSubjects title="Top addresses" about={about} subjects={addresses} />
        <TopSubjects title="Top accounts" about={about} subjects={accounts} />
        <TopSubjects
          title="Top networks"
          about={about}
          subjects={networks}
          aboutOf={(index) => countText(networks[index]?.addresses ?? 0, "address", "addresses")}
        />
      </div>
      {addresses.length === 0 && (
        <p className="dim">
          Applications report events with a key for reports, which you add on the page of an{" "}
          <Link href="/applications">application</Link>.
        </p>
      )}
    </>
  );
}

function feedText(feeds: Overview["feeds"]): string {
  const entries = feeds.reduce((sum, { size }) => sum + size, 0);
  return `${countText(feeds.length, "feed")} with ${countText(entries, "entry", "entries")}`;
}
