import { type ReactNode, useState } from "react";
import { call } from "../call.js";
import { shortId } from "../shown-value.js";
import { Done, Trouble, Waiting } from "./notice.js";
import { Panel } from "./page.js";
import { ShownOnce } from "./shown-once.js";
import { Time } from "./time.js";
import { latestOf, useAction } from "./use-action.js";
import { useAnswer } from "./use-answer.js";
import { submitting } from "../submitting.js";

const HOUR_MS = 3_600_000;
const DEFAULT_HOURS = 24;
const MAX_HOURS = 2_160;

const QUESTION = (hours: number): string =>
  `Create a new signing secret? It is shown once. The old one signs for ${hours} more hours: give the new one to the receivers before that.`;

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
    <Panel title="Signing secrets">
      <Waiting query={query} />
      <ul className="plain">
        {secrets.map(({ id: secretId, createdAt, notAfter, signs }) => (
          <li key={secretId}>
            created <Time at={createdAt} />, with the id <code>{shortId(secretId)}</code>
            {signs ? ", signs" : ", not yet in use"}
            {notAfter !== null && (
              <>
                , ends <Time at={notAfter} />
              </>
            )}
          </li>
        ))}
      </ul>
      <form
        className="row"
        onSubmit={submitting(() => {
          if (confirm(QUESTION(hours))) rotate.mutate();
        })}
      >
        <label>
          Hours that the old one still signs
          <input
            type="number"
            required
            min={0}
            max={MAX_HOURS}
            value={hours}
            onChange={({ target }) => setHours(target.valueAsNumber)}
          />
        </label>
        <button type="submit" disabled={rotate.isPending}>
          Rotate
        </button>
        {secrets.length > 1 && (
          <button
            type="button"
            disabled={finish.isPending}
            onClick={() => {
              if (confirm("Stop signing with the old secret now?")) finish.mutate();
            }}
          >
            Sign with the new one now
          </button>
        )}
      </form>
      {rotate.data && <ShownOnce name="Signing secret" value={rotate.data.secret} />}
      {latest === finish && finish.isSuccess && <Done>The newest secret signs.</Done>}
      {latest.error && <Trouble error={latest.error} />}
    </Panel>
  );
}
