import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RecordedResponse } from "@riskgate/api-types";
import { isRelease, responderOf } from "../response-text.js";
import { targetsOf } from "../shown-value.js";
import { subjectPath } from "../subject-link.js";
import { type Column, RowList } from "./row-list.js";
import { Foreign, ForeignLink } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";

/** A response that was sent, or that a dry run would send, which has no playbook. */
type Response = Pick<RecordedResponse, "createdAt" | "endsAt" | "payload"> &
  Partial<Pick<RecordedResponse, "playbookId">>;

const MAX_TARGETS = 20;

const COLUMNS: readonly Column<Response>[] = [
  {
    title: "Response",
    cell: (response) => (isRelease(response) ? "Release" : "Block"),
  },
  { title: "About", grow: true, bare: true, cell: (response) => <Targets response={response} /> },
  { title: "Sent", bare: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    title: "Ends",
    cell: (response) => !isRelease(response) && <RelativeTime at={response.endsAt} />,
  },
];

const PLAYBOOK: Column<Response> = {
  title: "Because",
  cell: (response) => {
    const { playbookId } = response;
    const name = responderOf(response);
    if (playbookId === undefined || playbookId === "operator") return <Foreign>{name}</Foreign>;
    return <ForeignLink href={`/playbooks/${playbookId}`}>{name || "Playbook"}</ForeignLink>;
  },
};

export function ResponseTable({
  responses,
  causeOf,
}: {
  readonly responses: readonly Response[];
  /** Path of the list of events that caused a response. */
  readonly causeOf?: (response: Response) => string;
}): ReactNode {
  const last: Column<Response> = causeOf
    ? { title: "Causes", cell: (response) => <Link href={causeOf(response)}>Show events</Link> }
    : PLAYBOOK;
  return (
    <RowList
      label="Responses"
      columns={[...COLUMNS, last]}
      rows={responses}
      empty="No responses."
    />
  );
}

function Targets({ response }: { readonly response: Response }): ReactNode {
  const targets = targetsOf(response);
  const left = targets.length - MAX_TARGETS;
  return (
    <>
      {targets.slice(0, MAX_TARGETS).map((target, index) => (
        <span key={target}>
          {index > 0 && ", "}
          <ForeignLink href={subjectPath(target.replace(/\/\d+$/, ""))}>
            {target.replace(/\/(?:32|128)$/, "")}
          </ForeignLink>
        </span>
      ))}
      {left > 0 && ` and ${left} more`}
    </>
  );
}
