import type { EmailExplanation, IpExplanation } from "@riskgate/api-types";
import { type ReactNode, useState } from "react";
import { CallError } from "../call.js";
import { ApplicationLink, ApplicationSelect } from "../parts/applications.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Facts, Foreign, ForeignLink, Json } from "../parts/foreign.js";
import { Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { useFilters } from "../parts/use-filters.js";
import { shortId, shownCount, shownDuration } from "../shown-value.js";
import { submitting } from "../submitting.js";

type Explanation = EmailExplanation & Partial<Pick<IpExplanation, "geo">>;

const SIGNALS: readonly Column<Explanation["signals"][number]>[] = [
  { title: "Signal", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Weight", cell: ({ weight }) => weight },
  { title: "Adds", cell: ({ adds }) => adds },
  { title: "Source", cell: ({ source }) => <Foreign>{source}</Foreign> },
  { title: "Detail", cell: ({ detail }) => <Foreign>{detail ?? ""}</Foreign> },
];

const FEEDS: readonly Column<Explanation["feeds"][number]>[] = [
  { title: "Feed", cell: ({ name }) => <Foreign>{name}</Foreign> },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "Listed", cell: ({ listed }) => (listed ? <Tag>listed</Tag> : "no") },
  { title: "Age", cell: ({ ageMs }) => (ageMs === undefined ? "unknown" : shownDuration(ageMs)) },
];

const ENTRIES: readonly Column<Explanation["ledger"]["entries"][number]>[] = [
  {
    title: "Event",
    cell: ({ eventId, kind }) => (
      <ForeignLink href={`/events/${encodeURIComponent(eventId)}`}>
        {kind ?? shortId(eventId)}
      </ForeignLink>
    ),
  },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Occurred", cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { title: "Risk", cell: ({ highRisk }) => (highRisk ? <Tag>high</Tag> : "") },
];

export function LookupPage(): ReactNode {
  const [{ q, applicationId }, setFilter] = useFilters(["q", "applicationId"]);
  const [text, setText] = useState(q);
  return (
    <Page title="Lookup">
      <form className="row" role="search" onSubmit={submitting(() => setFilter("q", text.trim()))}>
        <label>
          Address or email
          <input
            required
            size={36}
            maxLength={320}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <ApplicationSelect
          none="reports of all"
          value={applicationId}
          onChange={(id) => setFilter("applicationId", id)}
        />
        <button type="submit" className="main">
          Look up
        </button>
      </form>
      {q !== "" && <Answer key={q} identifier={q} applicationId={applicationId} />}
    </Page>
  );
}

interface AnswerProps {
  readonly identifier: string;
  /** Empty for the reports of all applications. */
  readonly applicationId: string;
}

function Answer({ identifier, applicationId }: AnswerProps): ReactNode {
  const isEmail = identifier.includes("@");
  const ofEmail = useAnswer(
    "GET /explain/emails/{email}",
    { parts: { email: identifier }, query: { applicationId } },
    { enabled: isEmail },
  );
  const ofIp = useAnswer(
    "GET /explain/ips/{ip}",
    { parts: { ip: identifier }, query: { applicationId } },
    { enabled: !isEmail },
  );
  const query = isEmail ? ofEmail : ofIp;
  if (query.error instanceof CallError && query.error.status === 404) {
    return <p className="notice warn">This service does not explain scores.</p>;
  }
  if (query.error instanceof CallError && query.error.status === 400) {
    return (
      <p className="notice bad" role="alert">
        <Foreign>{identifier}</Foreign> is neither an IP address nor an email address.
      </p>
    );
  }
  const { data } = query;
  return (
    <>
      <Waiting query={query} />
      {data && (
        <>
          <div className="cards">
            <div className="card">
              <strong>{data.score}</strong>
              <span>
                score of <Foreign>{identifier}</Foreign>
              </span>
            </div>
          </div>
          <Panel title="Signals behind the score">
            <DataTable
              label="Signals"
              columns={SIGNALS}
              rows={data.signals}
              empty="No signal adds to it."
            />
          </Panel>
          <div className="columns">
            <Panel title="Ledger">
              <LedgerPart ledger={data.ledger} />
            </Panel>
            <Panel title="Feeds">
              <DataTable label="Feeds" columns={FEEDS} rows={data.feeds} empty="None were asked." />
            </Panel>
            {"geo" in data && (
              <Panel title="Location">
                <Json value={data.geo} label="Location" />
              </Panel>
            )}
            {data.rules.length > 0 && (
              <Panel title="Rules that apply">
                <Json value={data.rules} label="Rules that apply" />
              </Panel>
            )}
            <Panel title="Assessment">
              <Json
                value={
                  "is_forwarding" in data
                    ? { ...data.assessment, is_forwarding: data.is_forwarding }
                    : data.assessment
                }
                label="Assessment"
              />
            </Panel>
          </div>
        </>
      )}
    </>
  );
}

function LedgerPart({ ledger }: Pick<Explanation, "ledger">): ReactNode {
  const { events, highRisk, isKnownAttacker, lastEventAt, entries } = ledger;
  return (
    <>
      <Facts
        facts={[
          ["Events", shownCount(events)],
          ["Of high risk", shownCount(highRisk)],
          ["Known attacker", isKnownAttacker ? "yes" : "no"],
          ["Last event", lastEventAt && <Time key="last" at={lastEventAt} />],
        ]}
      />
      <DataTable label="Events in the ledger" columns={ENTRIES} rows={entries} empty="No events." />
    </>
  );
}
