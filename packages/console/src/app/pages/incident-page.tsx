import type { IncidentHistory } from "@riskgate/api-types";
import { CircleStop } from "lucide-react";
import type { ReactNode } from "react";
import { blockedText } from "../blocked-text.js";
import { call } from "../call.js";
import { GENRE_TEXTS } from "../genre-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { BlockButton, type Subjects } from "../parts/block-dialog.js";
import { CommentPanel } from "../parts/comment-panel.js";
import { ConfirmButton } from "../parts/confirm-button.js";
import { SHORT_EVENT_COLUMNS } from "../parts/event-columns.js";
import { Facts, Foreign, Json } from "../parts/foreign.js";
import { IncidentChart } from "../parts/incident-chart.js";
import { IncidentAddresses } from "../parts/incident-addresses.js";
import { IncidentNames } from "../parts/incident-names.js";
import { IncidentState } from "../parts/incident-state.js";
import { Page } from "../parts/page.js";
import { ResponseTable } from "../parts/response-table.js";
import { SomeRows } from "../parts/some-rows.js";
import { Section } from "../parts/section.js";
import { SeverityBadge } from "../parts/severity-badge.js";
import { AllowButton, ReleaseButton } from "../parts/subject-actions.js";
import { BlockList } from "../parts/subject-sections.js";
import { Moment, Time } from "../parts/time.js";
import { notify } from "../parts/toasts.js";
import { useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { Waiting } from "../parts/waiting.js";
import { markersOf } from "../incident-markers.js";
import { shownCount, textIn } from "../shown-value.js";

/** One incident with its events and responses; the `url` of its payload links here. */
export function IncidentPage({ id }: { readonly id: string }): ReactNode {
  const query = useAnswer("GET /incidents/{id}", { parts: { id } });
  const { data } = query;
  return (
    <Page
      title={(data && textIn(data.incident.payload, "humanized_title")) || "Incident"}
      about={data && <About history={data} />}
      actions={data && <Actions history={data} />}
    >
      <Waiting query={query} lines={8} />
      {data && <Incident history={data} />}
    </Page>
  );
}

function About({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { genre, endedAt, applicationId } = history.incident;
  const { name, severity } = GENRE_TEXTS[genre];
  return (
    <span className="row middle">
      <SeverityBadge severity={severity} />
      <IncidentState endedAt={endedAt} />
      <span>
        {name} in <ApplicationLink id={applicationId} />
      </span>
      <IncidentAddresses addresses={history.addresses} />
    </span>
  );
}

/** Most addresses or accounts that one request may name. */
const MAX_SUBJECTS = 1_000;

function Actions({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { incident, addresses } = history;
  const { id, applicationId } = incident;
  const shown = addresses.slice(0, MAX_SUBJECTS);
  const blocked = shown.filter(({ blockedUntil }) => blockedUntil !== null);
  const free = shown.filter(({ blockedUntil }) => blockedUntil === null);
  const close = useAction(() => call("POST /incidents/{id}/close", { parts: { id }, body: {} }));
  return (
    <>
      {incident.endedAt === null && (
        <ConfirmButton
          icon={CircleStop}
          isDangerous={false}
          title="Close this incident?"
          question="It ends now, and the application receives its last payload. Further events count towards a new incident."
          disabled={close.isPending}
          onConfirm={() =>
            close.mutate(undefined, {
              onSuccess: () => notify("Closed."),
              onError: ({ message }) => notify(message, "bad"),
            })
          }
        >
          Close
        </ConfirmButton>
      )}
      {blocked.length > 0 && (
        <ReleaseButton subjects={subjectsOf(blocked)} applicationId={applicationId}>
          {`Release ${addressText(blocked)}`}
        </ReleaseButton>
      )}
      {shown.length > 0 && (
        <AllowButton subjects={subjectsOf(shown)} isAllowed={false}>
          {`Allow ${addressText(shown)}`}
        </AllowButton>
      )}
      {free.length > 0 && (
        <BlockButton subjects={subjectsOf(free)} applicationId={applicationId}>
          {`Block ${addressText(free)}`}
        </BlockButton>
      )}
    </>
  );
}

function subjectsOf(addresses: IncidentHistory["addresses"]): Subjects {
  return { ips: addresses.map(({ name }) => name) };
}

function addressText(addresses: IncidentHistory["addresses"]): string {
  return addresses.length === 1 ? "the address" : `${shownCount(addresses.length)} addresses`;
}

function Incident({ history }: { readonly history: IncidentHistory }): ReactNode {
  const { incident, events, isPartial, responses, blocks } = history;
  const { payload, endedAt } = incident;
  const places = textIn(payload, "humanized_geos");
  return (
    <>
      <Section title="Timeline">
        {storedCount(history) > 1 && <IncidentChart history={history} />}
        <TimeLine history={history} />
      </Section>
      <div className="page-columns">
        <div className="stack">
          <IncidentNames history={history} />
          <Section title="Events" {...(isPartial && { about: "Only the newest are shown." })}>
            <SomeRows
              label="Events"
              columns={SHORT_EVENT_COLUMNS}
              rows={events}
              empty="No events: the incident comes from counters, or they are no longer stored."
            />
          </Section>
          <Section title="Responses">
            <ResponseTable responses={responses} />
          </Section>
        </div>
        <div className="stack">
          <Section title="Blocked now">
            <BlockList blocks={blocks} empty={notBlockedText(history)} hasTarget />
          </Section>
          <CommentPanel history={history} />
          <Section title="Details">
            <Facts
              facts={[
                ["Started", <Moment key="started" at={incident.startedAt} />],
                [
                  "Ended",
                  endedAt ? (
                    <Moment key="ended" at={endedAt} />
                  ) : (
                    <IncidentState key="ended" endedAt={null} />
                  ),
                ],
                ["Events", eventCount(history)],
                ["About", <Foreign key="about">{incident.subject || "the application"}</Foreign>],
                ["Places", places === "" ? "unknown" : <Foreign key="places">{places}</Foreign>],
                ["Outcome", blockedText(history)],
                ["Id", <code key="id">{incident.id}</code>],
              ]}
            />
            <details>
              <summary>Payload</summary>
              <Json value={payload} label="Payload" />
            </details>
          </Section>
        </div>
      </div>
    </>
  );
}

/** The actions about the events, in words. */
function TimeLine({ history }: { readonly history: IncidentHistory }): ReactNode {
  return (
    <ol className="time-line">
      {markersOf(history).map(({ kind, at, text }) => (
        <li key={`${kind} ${at} ${text}`} className={kind}>
          <Time at={at} /> <Foreign>{text}</Foreign>
        </li>
      ))}
    </ol>
  );
}

/** The number of stored events, or that of the payload for an incident that comes from counters. */
function eventCount(history: IncidentHistory): string {
  const stored = storedCount(history);
  return stored > 0
    ? shownCount(stored)
    : `${textIn(history.incident.payload, "incidents_count")} when last delivered`;
}

function storedCount({ timeline: { counts } }: IncidentHistory): number {
  return counts.reduce((sum, one) => sum + one, 0);
}

/** Stopping the request of an event differs from blocking later requests of its address. */
function notBlockedText(history: IncidentHistory): string {
  const text = "No address or account is blocked.";
  return history.incident.payload["blocked"] === true ? `${blockedText(history)}. ${text}` : text;
}
