import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Playbook } from "@riskgate/api-types";
import { ApplicationLink } from "../parts/applications.js";
import type { Column } from "../parts/row-list.js";
import { Foreign, ForeignLink } from "../parts/foreign.js";
import { ListPage } from "../parts/list-page.js";
import { Badge } from "../parts/badge.js";
import { playbookText } from "../rule-text.js";
import { useAnswer } from "../parts/use-answer.js";

const COLUMNS: readonly Column<Playbook>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => <ForeignLink href={`/playbooks/${id}`}>{name}</ForeignLink>,
  },
  {
    title: "Application",
    bare: true,
    cell: ({ applicationId }) => <ApplicationLink id={applicationId} />,
  },
  { title: "State", bare: true, cell: ({ enabled }) => <Badge>{enabled ? "on" : "off"}</Badge> },
  {
    title: "What it does",
    grow: true,
    bare: true,
    wrap: true,
    cell: (playbook) => <Foreign>{playbookText(playbook)}</Foreign>,
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
