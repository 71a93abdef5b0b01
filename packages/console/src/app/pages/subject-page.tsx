import type { SubjectHistory } from "@riskgate/api-types";
import { type ReactNode, useState } from "react";
import { visible } from "../foreign-text.js";
import { AccountLabel } from "../parts/account-label.js";
import { ApplicationSelect } from "../parts/applications.js";
import { DecisionFinder } from "../parts/decision-finder.js";
import { Page } from "../parts/page.js";
import { RelativeTime } from "../parts/relative-time.js";
import { SUBJECT_SECTIONS } from "../parts/subject-sections.js";
import { SubjectActions } from "../parts/subject-actions.js";
import { useAnswer } from "../parts/use-answer.js";
import { useFilters } from "../parts/use-filters.js";
import { Waiting } from "../parts/waiting.js";
import { countText } from "../shown-value.js";
import { subjectIn } from "../subject-link.js";

/** Everything about one address or one account. */
export function SubjectPage({ type }: { readonly type: "ip" | "account" }): ReactNode {
  const [subject] = useState(() => subjectIn(globalThis.location.pathname));
  const [{ applicationId, digest }, setFilter] = useFilters(["applicationId", "digest"]);
  const query = useAnswer("GET /subject", {
    query: {
      [type]: subject,
      applicationId: applicationId || undefined,
      digest: digest || undefined,
    },
  });
  const { data } = query;
  const subjects = type === "ip" ? { ips: [subject] } : { accounts: [subject] };
  return (
    <Page
      title={visible(data?.subject ?? subject)}
      about={data && <About history={data} />}
      actions={
        data && (
          <SubjectActions
            subjects={subjects}
            isBlocked={data.blocks.length > 0}
            isAllowed={data.isAllowed}
          />
        )
      }
    >
      <div className="filters">
        <ApplicationSelect
          value={applicationId}
          onChange={(id) => setFilter("applicationId", id)}
          none="Reports of all"
        />
        {data && (
          <DecisionFinder
            type={type}
            identity={data.identity}
            digest={digest}
            onChange={(found) => setFilter("digest", found)}
          />
        )}
      </div>
      <Waiting query={query} lines={8} />
      {data && <Sections history={data} />}
      {data && type === "account" && (
        <AccountLabel history={data} applicationId={applicationId} digest={digest} />
      )}
    </Page>
  );
}

function Sections({ history }: { readonly history: SubjectHistory }): ReactNode {
  const shown = (where: "main" | "side"): ReactNode =>
    SUBJECT_SECTIONS.filter(({ place }) => place === where).map(({ key, content }) => (
      <div key={key} className="contents">
        {content(history)}
      </div>
    ));
  return (
    <div className="page-columns">
      <div className="stack">{shown("main")}</div>
      <div className="stack">{shown("side")}</div>
    </div>
  );
}

/** Type, location and flags, and the time of the last event. */
function About({ history }: { readonly history: SubjectHistory }): ReactNode {
  const { explanation, type, isAllowed } = history;
  const known = explanation.ip ?? explanation.account;
  const geo = explanation.ip?.geo;
  const flags = Object.entries(known?.assessment ?? {})
    .filter(([name, value]) => name.startsWith("is_") && value === true)
    .map(([name]) => name.slice(3).replaceAll("_", " "));
  const words = [
    type === "ip" ? "Address" : "Account",
    ...(geo?.country ? [geo.country] : []),
    ...(geo?.asn ? [geo.asn.organisation ?? `AS${geo.asn.number}`] : []),
    ...flags,
    ...(isAllowed ? ["allowed by an operator"] : []),
  ];
  // Notices, such as a login from a new location, are events that the ledger does not count.
  const events = Math.max(known?.ledger.events ?? 0, history.events.length);
  const last = known?.ledger.lastEventAt ?? history.events[0]?.occurredAt ?? null;
  return (
    <>
      {words.map(visible).join(" \u00b7 ")} {"\u00b7"} {history.isPartial && "more than "}
      {countText(events, "event")}
      {!history.isPartial && events > 0 && " in all"}
      {last !== null && (
        <>
          , the last <RelativeTime at={last} />
        </>
      )}
    </>
  );
}
