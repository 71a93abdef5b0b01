import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RecordedResponse } from "@riskgate/api-types";
import { targetsOf } from "../shown-value.js";
import { type Column, DataTable } from "./data-table.js";
import { Foreign } from "./foreign.js";
import { Time } from "./time.js";

/** A response that was sent, or that a dry run would send, which has no playbook. */
type Response = Pick<RecordedResponse, "createdAt" | "endsAt" | "payload"> &
  Partial<Pick<RecordedResponse, "playbookId">>;

const MAX_TARGETS = 20;

const COLUMNS: readonly Column<Response>[] = [
  { title: "Sent", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Until", cell: ({ endsAt }) => <Time at={endsAt} /> },
  {
    title: "About",
    cell: (response) => {
      const targets = targetsOf(response);
      const others = targets.length - MAX_TARGETS;
      const text = targets.slice(0, MAX_TARGETS).join(", ");
      return <Foreign>{others > 0 ? `${text} and ${others} more` : text}</Foreign>;
    },
  },
  {
    title: "Playbook",
    cell: ({ playbookId }) =>
      playbookId !== undefined && <Link href={`/playbooks/${playbookId}`}>Show</Link>,
  },
];

export function ResponseTable({
  responses,
}: {
  readonly responses: readonly Response[];
}): ReactNode {
  return <DataTable label="Responses" columns={COLUMNS} rows={responses} empty="None." />;
}
