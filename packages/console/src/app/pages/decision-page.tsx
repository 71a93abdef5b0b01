import type { RecordedDecision } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { visible } from "../foreign-text.js";
import { ApplicationLink } from "../parts/applications.js";
import { Badge } from "../parts/badge.js";
import { LabelButtons } from "../parts/label-buttons.js";
import { Facts, Foreign, Json } from "../parts/foreign.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { Moment } from "../parts/time.js";
import { useAnswer } from "../parts/use-answer.js";
import { Waiting } from "../parts/waiting.js";
import { shortId } from "../shown-value.js";

/** The decisions with an id, at most one per application; a refused visitor can quote the id. */
export function DecisionPage({ id }: { readonly id: string }): ReactNode {
  const query = useAnswer("GET /decisions", { query: { id } });
  const found = query.data?.decisions;
  return (
    <Page title={`Decision ${visible(shortId(id))}`}>
      <Waiting query={query} />
      {found?.length === 0 && (
        <p className="dim">
          No logged decision has this id. Decisions are stored for as long as events, if the gate
          has the option log.
        </p>
      )}
      {found?.map((decision) => (
        <Decision key={decision.seq} decision={decision} />
      ))}
    </Page>
  );
}

function Decision({ decision }: { readonly decision: RecordedDecision }): ReactNode {
  const { record, applicationId, decidedAt, label } = decision;
  const { outcome, enforced, because, score, route, rule, device } = record;
  return (
    <>
      <Section title="Details">
        <Facts
          facts={[
            [
              "Outcome",
              <span key="outcome">
                <Badge>{outcome}</Badge>
                {enforced ? "" : " in observe mode"}
              </span>,
            ],
            ["Because", because.replaceAll("_", " ")],
            ["Rule", rule === undefined ? "" : <Foreign key="rule">{rule}</Foreign>],
            ["Score", score],
            ["Device", device ?? ""],
            ["Route", <Foreign key="route">{route ?? "unknown route"}</Foreign>],
            ["Decided", <Moment key="decided" at={decidedAt} />],
            ["Application", <ApplicationLink key="app" id={applicationId} />],
            [
              "Id",
              <code key="id">
                <Foreign>{decision.id}</Foreign>
              </code>,
            ],
          ]}
        />
      </Section>
      <Section title="Label" about="What the decision turned out to be, for rehearsals.">
        <div className="row middle">
          {label === null ? <span className="dim">none</span> : <Badge>{label}</Badge>}
          <LabelButtons
            applicationId={applicationId}
            about={{ decisionId: decision.id }}
            label={label}
          />
        </div>
      </Section>
      <Section title="Record">
        <Json value={record} label="Record" />
      </Section>
    </>
  );
}
