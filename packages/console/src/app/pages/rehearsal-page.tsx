import type { Outcome, Rehearsal } from "@riskgate/api-types";
import { FLAG_ABOVE, REJECT_ABOVE } from "@riskgate/core";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import { type Column, RowList } from "../parts/row-list.js";
import { Foreign, ForeignLink } from "../parts/foreign.js";
import { Waiting } from "../parts/waiting.js";
import { LabelledSection } from "../parts/labelled-decisions.js";
import { OutcomeBars } from "../parts/outcome-bars.js";
import { OutcomeTable } from "../parts/outcome-table.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { ScoreChart } from "../parts/score-chart.js";
import { Badge } from "../parts/badge.js";
import { ThresholdSliders } from "../parts/threshold-sliders.js";
import { Time } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { useFilters } from "../parts/use-filters.js";
import { shownCount } from "../shown-value.js";
import { subjectPath } from "../subject-link.js";
import { readThresholds, type Thresholds } from "../thresholds.js";

const LIMIT = 50;

/** How long a slider must rest before the service is called, in milliseconds. */
const REST_MS = 250;

/** How other thresholds would decide recent scores and logged decisions. */
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Only the sliders change the address.
  }, [rested]);
  const { applicationId } = filters;
  const query = useAnswer(
    "GET /rehearsal",
    { query: { ...rested, limit: LIMIT, applicationId: applicationId || undefined } },
    { placeholderData: keepPreviousData },
  );
  const { data } = query;
  return (
    <Page
      title="Rehearsal"
      about="Move a threshold to see what would change. Nothing changes here: each gate sets its own thresholds."
    >
      <div className="rehearsal">
        <Section title="Thresholds">
          <ApplicationSelect
            value={applicationId}
            onChange={(id) => setFilter("applicationId", id)}
            none="All"
          />
          <ThresholdSliders thresholds={thresholds} onChange={setThresholds} />
        </Section>
        <div className="stack">
          <Waiting query={query} lines={8} />
          {data && (
            <>
              <Lookups lookups={data.lookups} thresholds={thresholds} />
              <Decisions decisions={data.decisions} />
              <LabelledSection labelled={data.decisions.labelled} />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

function Lookups({
  lookups,
  thresholds,
}: Pick<Rehearsal, "lookups"> & { readonly thresholds: Thresholds }): ReactNode {
  const { keptSince, byDefault, tried, changed, scores, examples } = lookups;
  const highest = Math.max(4, ...scores.ips.slice(1), ...scores.emails.slice(1));
  return (
    <Section title="Lookups of the last day">
      <p role="status">
        {shownCount(changed)} of {shownCount(lookups.lookups)} lookups since <Time at={keptSince} />{" "}
        would have another outcome than with the default thresholds, {FLAG_ABOVE} and {REJECT_ABOVE}
        .
      </p>
      <div className="comparison">
        <OutcomeBars before={byDefault} after={tried} />
        <OutcomeTable label="Lookups by outcome" before={byDefault} after={tried} />
      </div>
      <div className="columns">
        <ScoreChart
          counts={scores.ips}
          highest={highest}
          thresholds={thresholds}
          about="IP addresses"
        />
        <ScoreChart
          counts={scores.emails}
          highest={highest}
          thresholds={thresholds}
          about="Emails"
        />
      </div>
      <details>
        <summary>Latest changes ({examples.length})</summary>
        <RowList label="Lookups that change" columns={LOOKUPS} rows={examples} empty="None." />
        <p className="dim">
          Counted in the memory of this process, for at most a day. The list covers the last 200
          lookups of each application with a score above 0; an erasure empties it.
        </p>
      </details>
    </Section>
  );
}

function Decisions({ decisions }: Pick<Rehearsal, "decisions">): ReactNode {
  const { isPartial, oldestDecidedAt, ownPolicy, recorded, tried, changed, examples } = decisions;
  return (
    <Section title="Logged decisions">
      {decisions.decisions === 0 ? (
        <p className="dim">
          No application has logged decisions here. A gate logs them with the option log and
          createServiceDecisionLog.
        </p>
      ) : (
        <>
          <p role="status">
            {shownCount(changed)} of {isPartial && "the newest "}
            {shownCount(decisions.decisions)} decisions since <Time at={oldestDecidedAt} /> would
            differ.
            {ownPolicy > 0 &&
              ` An application decided ${shownCount(ownPolicy)} itself; the thresholds are tried instead.`}
          </p>
          <div className="comparison">
            <OutcomeBars before={recorded} after={tried} />
            <OutcomeTable label="Decisions by outcome" before={recorded} after={tried} />
          </div>
          <details>
            <summary>Latest changes ({examples.length})</summary>
            <RowList
              label="Decisions that change"
              columns={DECISIONS}
              rows={examples}
              empty="None."
            />
          </details>
        </>
      )}
    </Section>
  );
}

function Change({ from, to }: { readonly from: Outcome; readonly to: Outcome }): ReactNode {
  return (
    <>
      <Badge>{from}</Badge> to <Badge>{to}</Badge>
    </>
  );
}

const LOOKUPS: readonly Column<Rehearsal["lookups"]["examples"][number]>[] = [
  { title: "Answered", cell: ({ answeredAt }) => <Time at={answeredAt} /> },
  {
    title: "About",
    cell: ({ identifier }) => (
      <ForeignLink href={subjectPath(identifier)}>{identifier}</ForeignLink>
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

/** Returns a value once it has not changed for a while. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
