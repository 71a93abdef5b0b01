import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Playbook } from "@riskgate/api-types";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/data-table.js";
import { Code, ForeignLink } from "../parts/foreign.js";
import { ListPage } from "../parts/list-page.js";
import { Tag } from "../parts/tag.js";
import { useAnswer } from "../parts/use-answer.js";

const COLUMNS: readonly Column<Playbook>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => <ForeignLink href={`/playbooks/${id}`}>{name}</ForeignLink>,
  },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "State", cell: ({ enabled }) => <Tag>{enabled ? "on" : "off"}</Tag> },
  {
    title: "Rule",
    cell: ({ rule }) => <Code>{JSON.stringify(rule)}</Code>,
  },
];

const NO_PLAYBOOKS =
  "No playbooks. A playbook responds to attacks: when certain events, incidents or scores occur, it sends the application a response that names the addresses and accounts to block, and for how long.";

function NewPlaybook(): ReactNode {
  return (
    <Link className="button main" href="/playbooks/new">
      New playbook
    </Link>
  );
}

export function PlaybooksPage(): ReactNode {
  const query = useAnswer("GET /playbooks", {});
  const isEmpty = query.data?.playbooks.length === 0;
  return (
    <ListPage
      title="Playbooks"
      actions={isEmpty ? undefined : <NewPlaybook />}
      query={query}
      rows={query.data?.playbooks}
      columns={COLUMNS}
      empty={NO_PLAYBOOKS}
      more={isEmpty ? <NewPlaybook /> : undefined}
    />
  );
}
