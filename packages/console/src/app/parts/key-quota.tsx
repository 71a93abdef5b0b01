import { type ReactNode, useState } from "react";
import type { ApiKey } from "@riskgate/api-types";
import { call } from "../call.js";
import { shownCount } from "../shown-value.js";
import { submitting } from "../submitting.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { ErrorPanel } from "./error-panel.js";
import { useAction } from "./use-action.js";

/** The quota of a key, and a button that changes it. */
export function KeyQuota({ apiKey }: { readonly apiKey: ApiKey }): ReactNode {
  const { hint, quota, revokedAt } = apiKey;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className="dim">
        {quota ? `${shownCount(quota.requests)} requests in ${quota.seconds} seconds` : "no quota"}
      </span>
      {revokedAt === null && (
        <Button
          look="quiet"
          aria-label={`Change quota of the key ending in ${hint}`}
          onClick={() => setOpen(true)}
        >
          Change quota
        </Button>
      )}
      <Dialog title={`Quota of the key ending in ${hint}`} isOpen={isOpen} onOpenChange={setOpen}>
        <QuotaForm apiKey={apiKey} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function QuotaForm({
  apiKey: { id: keyId, applicationId: id, quota },
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}): ReactNode {
  const [requests, setRequests] = useState(quota ? String(quota.requests) : "");
  const [seconds, setSeconds] = useState(String(quota?.seconds ?? 60));
  const save = useAction(() =>
    call("PATCH /applications/{id}/keys/{keyId}", {
      parts: { id, keyId },
      body: {
        quota: requests === "" ? null : { requests: Number(requests), seconds: Number(seconds) },
      },
    }),
  );
  return (
    <form
      className="stack tight"
      onSubmit={submitting(() => save.mutate(undefined, { onSuccess: onClose }))}
    >
      <label>
        Requests in each window
        <input
          type="number"
          min={1}
          max={1_000_000_000}
          placeholder="no limit"
          value={requests}
          onChange={({ target }) => setRequests(target.value)}
        />
      </label>
      <label>
        Seconds of a window
        <input
          type="number"
          required
          min={1}
          max={86_400}
          value={seconds}
          onChange={({ target }) => setSeconds(target.value)}
        />
      </label>
      {save.error && <ErrorPanel error={save.error} />}
      <div className="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
