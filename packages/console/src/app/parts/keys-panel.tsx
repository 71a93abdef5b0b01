import { type ReactNode, useState } from "react";
import type { ApiKey } from "@riskgate/api-types";
import { Badge } from "./badge.js";
import { Button } from "./button.js";
import { call } from "../call.js";
import { ConfirmButton } from "./confirm-button.js";
import { ErrorPanel } from "./error-panel.js";
import { KeyQuota } from "./key-quota.js";
import { RelativeTime } from "./relative-time.js";
import { type Column, RowList } from "./row-list.js";
import { Section } from "./section.js";
import { Select } from "./select.js";
import { ShownOnce } from "./shown-once.js";
import { latestOf, useAction } from "./use-action.js";
import { submitting } from "../submitting.js";

const SCOPES = [
  ["lookup", "lookups"],
  ["report", "reports"],
  ["blocks", "blocks"],
] as const;

export function KeysPanel({
  applicationId: id,
  keys,
}: {
  readonly applicationId: string;
  readonly keys: readonly ApiKey[];
}): ReactNode {
  const [scope, setScope] = useState<ApiKey["scope"]>("lookup");
  const add = useAction(() =>
    call("POST /applications/{id}/keys", { parts: { id }, body: { scope } }),
  );
  const revoke = useAction((keyId: string) =>
    call("DELETE /applications/{id}/keys/{keyId}", { parts: { id, keyId } }),
  );
  const latest = latestOf(add, revoke);
  const columns: readonly Column<ApiKey>[] = [
    { title: "Key", cell: ({ hint }) => <code>...{hint}</code> },
    { title: "For", cell: ({ scope }) => new Map(SCOPES).get(scope) },
    { title: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      title: "State",
      bare: true,
      cell: ({ revokedAt }) => (
        <>
          <Badge>{revokedAt === null ? "on" : "revoked"}</Badge>{" "}
          <span className="dim">
            <RelativeTime at={revokedAt} />
          </span>
        </>
      ),
    },
    { title: "Quota", bare: true, cell: (apiKey) => <KeyQuota apiKey={apiKey} /> },
    {
      title: "Action",
      bare: true,
      cell: ({ id: keyId, hint, revokedAt }) =>
        revokedAt === null && (
          <ConfirmButton
            title={`Revoke the key ending in ${hint}?`}
            question="Requests with this key are refused at once."
            aria-label={`Revoke the key ending in ${hint}`}
            onConfirm={() => revoke.mutate(keyId)}
          >
            Revoke
          </ConfirmButton>
        ),
    },
  ];
  return (
    <Section
      title="Keys"
      about="An application sends a key with each request. A key permits only lookups, only reports, or only reading the blocks."
    >
      <RowList label="Keys" columns={columns} rows={keys} empty="No keys." />
      <form className="row" onSubmit={submitting(() => add.mutate())}>
        <label>
          New key for
          <Select choices={SCOPES} value={scope} onChange={setScope} />
        </label>
        <Button type="submit" disabled={add.isPending}>
          Add
        </Button>
      </form>
      {add.data && <ShownOnce name="API key" value={add.data.key} />}
      {latest.error && <ErrorPanel error={latest.error} />}
    </Section>
  );
}
