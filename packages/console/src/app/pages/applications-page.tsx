import { type ReactNode, useState } from "react";
import type { Application } from "@riskgate/api-types";
import { Button } from "../parts/button.js";
import { call } from "../call.js";
import type { Column } from "../parts/row-list.js";
import { Foreign, ForeignLink } from "../parts/foreign.js";
import { ListPage } from "../parts/list-page.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { ShownOnce } from "../parts/shown-once.js";
import { Badge } from "../parts/badge.js";
import { RelativeTime } from "../parts/relative-time.js";
import { useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { submitting } from "../submitting.js";

const COLUMNS: readonly Column<Application>[] = [
  {
    title: "Name",
    cell: ({ id, name }) => <ForeignLink href={`/applications/${id}`}>{name}</ForeignLink>,
  },
  { title: "Environment", cell: ({ environment }) => <Foreign>{environment}</Foreign> },
  { title: "Kind", cell: ({ kind }) => kind },
  { title: "State", bare: true, cell: (application) => <Badge>{stateOf(application)}</Badge> },
  {
    title: "Webhook",
    grow: true,
    cell: ({ webhookUrl }) => <Foreign>{webhookUrl ?? "none"}</Foreign>,
  },
  { title: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function stateOf({ disabledAt, failingSince }: Application): string {
  if (disabledAt !== null) return "disabled";
  return failingSince === null ? "on" : "failing";
}

export function ApplicationsPage(): ReactNode {
  const query = useAnswer("GET /applications", {});
  return (
    <ListPage
      title="Applications"
      query={query}
      rows={query.data?.applications}
      columns={COLUMNS}
      empty="No applications. Create one below: it gets an API key and a signing secret."
    >
      <NewApplication />
    </ListPage>
  );
}

function NewApplication(): ReactNode {
  const [name, setName] = useState("");
  const create = useAction(() => call("POST /applications", { body: { name } }));
  return (
    <form className="section" onSubmit={submitting(() => create.mutate())}>
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
        <Button type="submit" look="main" disabled={create.isPending}>
          Create
        </Button>
      </div>
      {create.error && <ErrorPanel error={create.error} />}
      {create.data && (
        <>
          <ShownOnce name="API key" value={create.data.key} />
          <ShownOnce name="Signing secret" value={create.data.secret} />
        </>
      )}
    </form>
  );
}
