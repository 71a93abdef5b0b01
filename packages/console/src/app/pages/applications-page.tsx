import { type ReactNode, useState } from "react";
import type { Application } from "@riskgate/api-types";
import { call } from "../call.js";
import type { Column } from "../parts/data-table.js";
import { Foreign, ForeignLink } from "../parts/foreign.js";
import { ListPage } from "../parts/list-page.js";
import { Trouble } from "../parts/notice.js";
import { ShownOnce } from "../parts/shown-once.js";
import { Tag } from "../parts/tag.js";
import { Time } from "../parts/time.js";
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
  { title: "State", cell: (application) => <Tag>{stateOf(application)}</Tag> },
  { title: "Webhook", cell: ({ webhookUrl }) => <Foreign>{webhookUrl ?? "none"}</Foreign> },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
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
    <form className="panel" onSubmit={submitting(() => create.mutate())}>
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
  );
}
