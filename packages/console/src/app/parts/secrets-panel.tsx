import type { AdminAnswer } from "@riskgate/api-types";
import { type ReactNode, useState } from "react";
import { Badge } from "./badge.js";
import { ConfirmButton } from "./confirm-button.js";
import { call } from "../call.js";
import { shortId } from "../shown-value.js";
import { ErrorPanel } from "./error-panel.js";
import { Waiting } from "./waiting.js";
import { RelativeTime } from "./relative-time.js";
import { type Column, RowList } from "./row-list.js";
import { Section } from "./section.js";
import { ShownOnce } from "./shown-once.js";
import { notify } from "./toasts.js";
import { Time } from "./time.js";
import { latestOf, useAction } from "./use-action.js";
import { useAnswer } from "./use-answer.js";

type SigningSecret = AdminAnswer<"GET /applications/{id}/secrets">["secrets"][number];

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 24;
const MAX_HOURS = 2_160;

const QUESTION = (hours: number): string =>
  `The new secret is shown once. The old one signs for ${hours} more ${hours === 1 ? "hour" : "hours"}: add the new one to the receivers before that.`;

const COLUMNS: readonly Column<SigningSecret>[] = [
  { title: "Secret", cell: ({ id }) => <code>{shortId(id)}</code> },
  { title: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    title: "State",
    bare: true,
    cell: ({ signs }) => <Badge tone={signs ? "good" : "dim"}>{signs ? "signs" : "next"}</Badge>,
  },
  {
    title: "Ends",
    grow: true,
    cell: ({ notAfter }) => notAfter !== null && <Time at={notAfter} />,
  },
];

export function SecretsPanel({ applicationId: id }: { readonly applicationId: string }): ReactNode {
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const parts = { id };
  const query = useAnswer("GET /applications/{id}/secrets", { parts });
  const rotate = useAction(() =>
    call("POST /applications/{id}/secrets", { parts, body: { overlapMs: hours * HOUR_MS } }),
  );
  const finish = useAction(() => call("POST /applications/{id}/secrets/finish", { parts }));
  const latest = latestOf(rotate, finish);
  const secrets = query.data?.secrets ?? [];
  return (
    <Section
      title="Signing secrets"
      about="The service signs deliveries with a secret, and the application verifies them with the same one."
    >
      <Waiting query={query} />
      {query.data && (
        <RowList label="Signing secrets" columns={COLUMNS} rows={secrets} empty="None." />
      )}
      <div className="row">
        <label>
          The old secret signs for, in hours
          <input
            type="number"
            required
            min={0}
            max={MAX_HOURS}
            value={hours}
            onChange={({ target }) => setHours(target.valueAsNumber)}
          />
        </label>
        <ConfirmButton
          title="Create a new signing secret?"
          question={QUESTION(hours)}
          isDangerous={false}
          disabled={rotate.isPending || Number.isNaN(hours)}
          onConfirm={() => rotate.mutate()}
        >
          Rotate
        </ConfirmButton>
        {secrets.length > 1 && (
          <ConfirmButton
            title="Stop signing with the old secret?"
            question="Receivers that do not have the new secret yet will refuse deliveries."
            disabled={finish.isPending}
            onConfirm={() =>
              finish.mutate(undefined, { onSuccess: () => notify("The newest secret signs.") })
            }
          >
            Sign with the new one now
          </ConfirmButton>
        )}
      </div>
      {rotate.data && <ShownOnce name="Signing secret" value={rotate.data.secret} />}
      {latest.error && <ErrorPanel error={latest.error} />}
    </Section>
  );
}
