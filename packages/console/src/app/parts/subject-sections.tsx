import type {
  Block,
  Feed,
  Occurrence,
  RecordedDecision,
  RecordedIncident,
  SubjectHistory,
  SubjectLogin,
} from "@riskgate/api-types";
import type { ReactNode } from "react";
import { GENRE_TEXTS } from "../genre-text.js";
import { shownCount, shownDuration, textIn } from "../shown-value.js";
import { accountPath, addressPath, subjectPath } from "../subject-link.js";
import { ApplicationLink } from "./applications.js";
import { Badge } from "./badge.js";
import { ACCOUNT_EVENT_COLUMNS, ADDRESS_EVENT_COLUMNS } from "./event-columns.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { IncidentState } from "./incident-state.js";
import { RelativeTime } from "./relative-time.js";
import { ResponseTable } from "./response-table.js";
import type { Column } from "./row-list.js";
import { SomeRows } from "./some-rows.js";
import { ScoreSection } from "./score-section.js";
import { Section } from "./section.js";
import { SeverityBadge } from "./severity-badge.js";

interface SubjectSection {
  readonly key: string;
  /** Column of the page: what happened, or what follows from it. */
  readonly place: "main" | "side";
  /** Returns nothing if the section has no content for a subject. */
  readonly content: (history: SubjectHistory) => ReactNode;
}

/** Sections of the page of an address or an account, in order. */
export const SUBJECT_SECTIONS: readonly SubjectSection[] = [
  {
    key: "score",
    place: "main",
    content: ({ explanation: { ip, account } }) =>
      ip || account ? <ScoreSection explanation={(ip ?? account)!} /> : null,
  },
  {
    key: "events",
    place: "main",
    content: ({ type, events, isPartial }) => (
      <Section title="Events" {...(isPartial && { about: "Only the newest are shown." })}>
        <SomeRows
          label="Events"
          columns={type === "ip" ? ADDRESS_EVENT_COLUMNS : ACCOUNT_EVENT_COLUMNS}
          rows={events}
          empty="No events."
        />
      </Section>
    ),
  },
  {
    key: "logins",
    place: "main",
    content: ({ type, logins }) => (
      <Section title="Logins" about="As far as the login detection remembers them.">
        <SomeRows
          label="Logins"
          columns={type === "ip" ? LOGINS_BY_ADDRESS : LOGINS_BY_ACCOUNT}
          rows={logins}
          empty="No logins."
        />
      </Section>
    ),
  },
  {
    key: "decisions",
    place: "main",
    content: ({ decisions }) =>
      decisions.length > 0 && (
        <Section title="Logged decisions">
          <SomeRows label="Logged decisions" columns={DECISIONS} rows={decisions} empty="" />
        </Section>
      ),
  },
  {
    key: "blocks",
    place: "side",
    content: ({ blocks }) => (
      <Section title="Blocked now">
        <BlockList blocks={blocks} empty="Not blocked." />
      </Section>
    ),
  },
  {
    key: "incidents",
    place: "side",
    content: ({ incidents }) => (
      <Section title="Incidents">
        <SomeRows label="Incidents" columns={INCIDENTS} rows={incidents} empty="No incidents." />
      </Section>
    ),
  },
  {
    key: "related",
    place: "side",
    content: ({ type, related }) => (
      <Section title={type === "ip" ? "Accounts seen with it" : "Addresses seen with it"}>
        <SomeRows
          label={type === "ip" ? "Accounts" : "Addresses"}
          columns={RELATED}
          rows={related}
          empty="None."
        />
      </Section>
    ),
  },
  {
    key: "known",
    place: "side",
    content: ({ knownNetworks, knownPlaces }) =>
      knownNetworks.length > 0 && (
        <Section title="Usual networks and places">
          <p>
            <Foreign>{[...knownPlaces, ...knownNetworks].join(", ")}</Foreign>
          </p>
        </Section>
      ),
  },
  {
    key: "lookups",
    place: "side",
    content: ({ lookups }) =>
      lookups.length > 0 && (
        <Section title="Recent lookups" about="Scores above 0, since this process started.">
          <SomeRows label="Recent lookups" columns={LOOKUPS} rows={lookups} empty="" />
        </Section>
      ),
  },
  {
    key: "feeds",
    place: "side",
    content: ({ explanation: { ip, account } }) => (
      <Section title="Feeds">
        <SomeRows
          label="Feeds"
          columns={FEEDS}
          rows={(ip ?? account)?.feeds ?? []}
          empty="No feed was searched."
        />
      </Section>
    ),
  },
  {
    key: "responses",
    place: "main",
    content: ({ responses }) =>
      responses.length > 0 && (
        <Section title="Security responses">
          <ResponseTable responses={responses} />
        </Section>
      ),
  },
];

export function BlockList({
  blocks,
  empty,
  hasTarget = false,
}: {
  readonly blocks: readonly Block[];
  readonly empty: string;
  /** Names the targets, which are all of one application. */
  readonly hasTarget?: boolean;
}): ReactNode {
  return (
    <SomeRows
      label="Blocks"
      columns={hasTarget ? [TARGET, ...BLOCKS] : [BLOCK_APPLICATION, ...BLOCKS]}
      rows={blocks}
      empty={empty}
    />
  );
}

const TARGET: Column<Block> = {
  title: "Target",
  cell: ({ type, target }) => (
    <ForeignLink
      href={type === "account" ? accountPath(target) : addressPath(target.replace(/\/\d+$/, ""))}
    >
      {target.replace(/\/(?:32|128)$/, "")}
    </ForeignLink>
  ),
};

const BLOCK_APPLICATION: Column<Block> = {
  title: "Application",
  cell: ({ applicationId }) => <ApplicationLink id={applicationId} />,
};

const BLOCKS: readonly Column<Block>[] = [
  { title: "Ends", cell: ({ until }) => <RelativeTime at={until} /> },
  {
    title: "Because",
    wrap: true,
    cell: ({ playbook: { id, name } }) =>
      id === "operator" ? (
        <Foreign>{name}</Foreign>
      ) : (
        <ForeignLink href={`/playbooks/${id}`}>{name}</ForeignLink>
      ),
  },
];

const LOGIN_RESULT: Column<SubjectLogin> = {
  title: "Result",
  bare: true,
  cell: ({ success, exists }) => (
    <Badge tone={success ? "good" : "bad"}>
      {success ? "signed in" : exists === false ? "no such account" : "failed"}
    </Badge>
  ),
};
const LOGIN_REST: readonly Column<SubjectLogin>[] = [
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "At", bare: true, cell: ({ at }) => <RelativeTime at={at} /> },
];
const LOGINS_BY_ADDRESS: readonly Column<SubjectLogin>[] = [
  {
    title: "Account",
    grow: true,
    cell: ({ account }) => <ForeignLink href={accountPath(account)}>{account}</ForeignLink>,
  },
  LOGIN_RESULT,
  ...LOGIN_REST,
];
const LOGINS_BY_ACCOUNT: readonly Column<SubjectLogin>[] = [
  {
    title: "Address",
    grow: true,
    cell: ({ address, place }) => (
      <>
        <ForeignLink href={addressPath(address)}>{address}</ForeignLink>{" "}
        <span className="dim">
          <Foreign>{place ?? ""}</Foreign>
        </span>
      </>
    ),
  },
  LOGIN_RESULT,
  ...LOGIN_REST,
];

const DECISIONS: readonly Column<RecordedDecision>[] = [
  {
    title: "Route",
    grow: true,
    cell: ({ id, record: { route } }) => (
      <ForeignLink href={`/decisions/${encodeURIComponent(id)}`}>
        {route ?? "unknown route"}
      </ForeignLink>
    ),
  },
  { title: "Outcome", bare: true, cell: ({ record: { outcome } }) => <Badge>{outcome}</Badge> },
  { title: "Because", cell: ({ record: { because } }) => because.replaceAll("_", " ") },
  { title: "Score", numeric: true, cell: ({ record: { score } }) => score ?? "none" },
  { title: "Decided", bare: true, cell: ({ decidedAt }) => <RelativeTime at={decidedAt} /> },
];

const INCIDENTS: readonly Column<RecordedIncident>[] = [
  {
    title: "Incident",
    grow: true,
    cell: ({ id, genre, payload }) => (
      <ForeignLink href={`/incidents/${id}`}>
        {GENRE_TEXTS[genre].name || textIn(payload, "humanized_title")}
      </ForeignLink>
    ),
  },
  {
    title: "Severity",
    bare: true,
    cell: ({ genre }) => <SeverityBadge severity={GENRE_TEXTS[genre].severity} />,
  },
  {
    title: "Started",
    bare: true,
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? <IncidentState endedAt={null} /> : <RelativeTime at={startedAt} />,
  },
];

const RELATED: readonly Column<Occurrence>[] = [
  {
    title: "Name",
    grow: true,
    cell: ({ name }) => <ForeignLink href={subjectPath(name)}>{name}</ForeignLink>,
  },
  { title: "Times", numeric: true, cell: ({ events }) => shownCount(events) },
];

const LOOKUPS: readonly Column<SubjectHistory["lookups"][number]>[] = [
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "Score", numeric: true, cell: ({ score }) => score },
  { title: "At", bare: true, cell: ({ answeredAt }) => <RelativeTime at={answeredAt} /> },
];

type AskedFeed = Pick<Feed, "name" | "kind" | "ageMs"> & { readonly listed: boolean };

const FEEDS: readonly Column<AskedFeed>[] = [
  { title: "Feed", grow: true, cell: ({ name }) => <Foreign>{name}</Foreign> },
  {
    title: "Listed",
    bare: true,
    cell: ({ listed }) =>
      listed ? <Badge>listed</Badge> : <span className="dim">not listed</span>,
  },
  { title: "Age", cell: ({ ageMs }) => (ageMs === undefined ? "unknown" : shownDuration(ageMs)) },
];
