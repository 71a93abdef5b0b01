import { type ReactNode, useState } from "react";
import type { ApiKey } from "@riskgate/api-types";
import { call } from "../call.js";
import { Trouble } from "./notice.js";
import { Panel } from "./page.js";
import { Select } from "./select.js";
import { ShownOnce } from "./shown-once.js";
import { Time } from "./time.js";
import { latestOf, useAction } from "./use-action.js";
import { submitting } from "../submitting.js";

const SCOPES = [
  ["lookup", "lookups"],
  ["report", "reports"],
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
  return (
    <Panel title="Keys">
      <ul className="plain">
        {keys.map(({ id: keyId, hint, scope: use, createdAt, revokedAt }) => (
          <li key={keyId} className="row">
            <span>
              <code>...{hint}</code> for {use}s, of <Time at={createdAt} />
              {revokedAt !== null && (
                <span className="dim">
                  , revoked <Time at={revokedAt} />
                </span>
              )}
            </span>
            {revokedAt === null && (
              <button
                type="button"
                className="danger"
                aria-label={`Revoke the key ending in ${hint}`}
                onClick={() => {
                  if (confirm(`Revoke the key ending in ${hint}?`)) revoke.mutate(keyId);
                }}
              >
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
      <form className="row" onSubmit={submitting(() => add.mutate())}>
        <label>
          New key for
          <Select choices={SCOPES} value={scope} onChange={setScope} />
        </label>
        <button type="submit" disabled={add.isPending}>
          Add
        </button>
      </form>
      {add.data && <ShownOnce name="API key" value={add.data.key} />}
      {latest.error && <Trouble error={latest.error} />}
    </Panel>
  );
}
