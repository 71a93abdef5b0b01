import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { Application } from "../administration.js";
import { call } from "../call.js";
import { useApplications } from "../parts/applications.js";
import { type Column, DataTable } from "../parts/data-table.js";
import { Foreign } from "../parts/foreign.js";
import { Trouble, Waiting } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { ShownOnce } from "../parts/shown-once.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
import { useAction } from "../parts/use-action.js";

const COLUMNS: readonly Column<Application>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => (
      <Link href={`/applications/${id}`}>
        <Foreign>{name}</Foreign>
      </Link>
    ),
  },
  { title: "Environment", cell: ({ environment }) => <Foreign>{environment}</Foreign> },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "State", cell: (application) => <Tag>{stateOf(application)}</Tag> },
  { title: "Webhook", cell: ({ webhookUrl }) => <Foreign>{webhookUrl ?? "none"}</Foreign> },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function stateOf({ disabledAt, failingSince }: Application): string {
  if (disabledAt !== null) return "disabled";
  return failingSince === null ? "on" : "failing";
}

/** The applications, and a form for a new one. */
export function ApplicationsPage(): ReactNode {
  const query = useApplications();
  const [name, setName] = useState("");
  const create = useAction(() =>
    call<{ key: string; secret: string }>("POST", "/applications", { name }),
  );
  return (
    <Page title="Applications">
      <Waiting query={query} />
      {query.data && (
        <div className="panel">
          <DataTable
            label="Applications"
            columns={COLUMNS}
            rows={query.data}
            empty="No applications. Create one below: it gets an API key and a signing secret."
          />
        </div>
      )}
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <h2>New application</h2>
        <div className="row">
          <label>
            Name
            <input
              required
              maxLength={128}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <button type="submit" className="main" disabled={create.isPending}>
            Create
          </button>
        </div>
        {create.error && <Trouble error={create.error} />}
        {create.data && (
          <>
            <ShownOnce name="API key" value={create.data.key} />
            <ShownOnce name="Signing secret" value={create.data.secret} />
          </>
        )}
      </form>
    </Page>
  );
}
