import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Playbook } from "../administration.js";
import { call } from "../call.js";
import { ApplicationLink } from "../parts/applications.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { Waiting } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { Tag } from "../parts/tag.js";

const COLUMNS: readonly Column<Playbook>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link href={`/playbooks/${id}`}>
        <Foreign>{name}</Foreign>
      </Link>
    ),
  },
  { title: "Application", cell: ({ applicationId }) => <ApplicationLink id={applicationId} /> },
  { title: "State", cell: ({ enabled }) => <Tag>{enabled ? "on" : "off"}</Tag> },
  {
    title: "Rule",
    cell: ({ rule }) => (
      <span className="mono">
        <Foreign>{JSON.stringify(rule)}</Foreign>
      </span>
    ),
  },
];

const NO_PLAYBOOKS =
  "No playbooks. A playbook answers attacks: once it sees certain events, incidents or scores, it sends the application a response that names the addresses and accounts to block, and for how long.";

function NewPlaybook(): ReactNode {
  return (
    <Link className="button main" href="/playbooks/new">
      New playbook
    </Link>
  );
}

/** The playbooks of all applications. */
export function PlaybooksPage(): ReactNode {
  const query = useQuery({
    queryKey: ["/playbooks"],
    queryFn: async () =>
      (await call<{ playbooks: readonly Playbook[] }>("GET", "/playbooks")).playbooks,
  });
  const isEmpty = query.data?.length === 0;
  return (
    <Page title="Playbooks" actions={isEmpty ? undefined : <NewPlaybook />}>
      <Waiting query={query} />
      {query.data && (
        <div className="panel">
          <DataTable label="Playbooks" columns={COLUMNS} rows={query.data} empty={NO_PLAYBOOKS} />
          {isEmpty && (
            <div className="row">
              <NewPlaybook />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}
