import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import type { OutcomeChange, Rehearsal } from "../administration.js";
import { call } from "../call.js";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { Waiting } from "../parts/notice.js";
import { OutcomeTable } from "../parts/outcome-table.js";
import { Page, Panel } from "../parts/page.js";
import { ScoreChart } from "../parts/score-chart.js";
import { Tag } from "../parts/tag.js";
import { ThresholdSliders } from "../parts/threshold-sliders.js";
import { Time } from "../parts/time.js";
import { useFilters } from "../parts/use-filters.js";
import { shownCount } from "../shown-value.js";
import { readThresholds, type Thresholds } from "../thresholds.js";

/** Examples that are shown. */
const LIMIT = 50;

/** A slider is asked about once it rests, in milliseconds. */
const REST_MS = 250;

/** What other thresholds would make of recent scores and decisions. */
export function RehearsalPage(): ReactNode {
  const [filters, setFilter] = useFilters([
    "applicationId",
    "flagAbove",
    "challengeAbove",
    "rejectAbove",
  ]);
  const [thresholds, setThresholds] = useState(() => readThresholds(filters));
  const rested = useRested(thresholds);
  useEffect(() => {
    for (const name of ["flagAbove", "challengeAbove", "rejectAbove"] as const) {
      setFilter(name, String(rested[name] ?? ""));
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only what the sliders say goes there.
  }, [rested]);
  const { applicationId } = filters;
  const path = pathOf(rested, applicationId);
  const query = useQuery({
    queryKey: [path],
    queryFn: () => call<Rehearsal>("GET", path),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <Page title="Rehearsal">
      <p>What other thresholds would do. Nothing is changed: thresholds are set in the gates.</p>
      <div className="panel">
        <div className="row">
          <ApplicationSelect
            value={applicationId}
            onChange={(id) => setFilter("applicationId", id)}
            none="All"
          />
        </div>
        <ThresholdSliders thresholds={thresholds} onChange={setThresholds} />
      </div>
      <Waiting query={query} />
      {data && (
        <>
          <Lookups lookups={data.lookups} thresholds={thresholds} />
          <Decisions decisions={data.decisions} />
        </>
      )}
    </Page>
  );
}

function Lookups({
  lookups,
  thresholds,
}: Pick<Rehearsal, "lookups"> & { readonly thresholds: Thresholds }): ReactNode {
  const { keptSince, byDefault, tried, changed, scores, examples } = lookups;
  return (
    <Panel title="Scores of the last day">
      <p role="status">
        {shownCount(changed)} of {shownCount(lookups.lookups)} lookups since <Time at={keptSince} />{" "}
        would have another outcome than by the default thresholds, 40 and 80.
      </p>
      <div className="columns">
        <ScoreChart counts={scores.ips} thresholds={thresholds} about="IP addresses" />
        <ScoreChart counts={scores.emails} thresholds={thresholds} about="Emails" />
      </div>
      <OutcomeTable label="Lookups by outcome" before={byDefault} after={tried} />
      <h3>The latest that change</h3>
      <DataTable label="Lookups that change" columns={LOOKUPS} rows={examples} empty="None." />
      <p className="dim">
        Counted in the memory of this process since it was started, at most a day. Out of the last
        200 lookups of each application with a score above 0; an erasure empties this list.
      </p>
    </Panel>
  );
}

function Decisions({ decisions }: Pick<Rehearsal, "decisions">): ReactNode {
  const { isPartial, oldestDecidedAt, ownPolicy, recorded, tried, changed, examples } = decisions;
  return (
    <Panel title="Logged decisions">
      {decisions.decisions === 0 ? (
        <p className="dim">
          No application has logged decisions here. A gate does with the option log and
          createServiceDecisionLog.
        </p>
      ) : (
        <>
          <p role="status">
            {shownCount(changed)} of {isPartial && "the newest "}
            {shownCount(decisions.decisions)} decisions since <Time at={oldestDecidedAt} /> would be
            others.
            {ownPolicy > 0 &&
              ` An application decided ${shownCount(ownPolicy)} itself; the thresholds are tried instead.`}
          </p>
          <OutcomeTable label="Decisions by outcome" before={recorded} after={tried} />
          <h3>The latest that change</h3>
          <DataTable
            label="Decisions that change"
            columns={DECISIONS}
            rows={examples}
            empty="None."
          />
        </>
      )}
    </Panel>
  );
}

function Change({ from, to }: Pick<OutcomeChange, "from" | "to">): ReactNode {
  return (
    <>
      <Tag>{from}</Tag> to <Tag>{to}</Tag>
    </>
  );
}

const LOOKUPS: readonly Column<Rehearsal["lookups"]["examples"][number]>[] = [
  { title: "Answered", cell: ({ answeredAt }) => <Time at={answeredAt} /> },
  {
    title: "About",
    cell: ({ identifier }) => (
      <Link href={`/lookup?q=${encodeURIComponent(identifier)}`}>
        <Foreign>{identifier}</Foreign>
      </Link>
    ),
  },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Score", cell: ({ score }) => score },
  { title: "Outcome", cell: (change) => <Change {...change} /> },
];

const DECISIONS: readonly Column<Rehearsal["decisions"]["examples"][number]>[] = [
  { title: "Decided", cell: ({ decidedAt }) => <Time at={decidedAt} /> },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Route", cell: ({ route }) => <Foreign>{route ?? ""}</Foreign> },
  { title: "Score", cell: ({ score }) => score },
  { title: "Signals", cell: ({ signals }) => <Foreign>{signals.join(", ")}</Foreign> },
  { title: "Outcome", cell: (change) => <Change {...change} /> },
];

function pathOf(
  { flagAbove, challengeAbove, rejectAbove }: Thresholds,
  application: string,
): string {
  const query = new URLSearchParams({
    flagAbove: String(flagAbove),
    rejectAbove: String(rejectAbove),
    limit: String(LIMIT),
    ...(challengeAbove !== undefined && { challengeAbove: String(challengeAbove) }),
    ...(application !== "" && { applicationId: application }),
  });
  return `/rehearsal?${query.toString()}`;
}

/** A value once it has stayed the same for a while. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
