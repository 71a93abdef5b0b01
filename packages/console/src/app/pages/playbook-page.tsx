import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { DryRun, Playbook } from "../administration.js";
import { call } from "../call.js";
import { ApplicationSelect } from "../parts/applications.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { PlaybookFields } from "../parts/playbook-fields.js";
import { ResponseTable } from "../parts/response-table.js";
import { Time } from "../parts/time.js";
import { useAction } from "../parts/use-action.js";
import { draftOf, settingsOf } from "../playbook-draft.js";
import { shownCount } from "../shown-value.js";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** One playbook, or a new one. */
export function PlaybookPage({ id }: { readonly id: string }): ReactNode {
  const isNew = id === "new";
  const query = useQuery({
    queryKey: ["/playbooks", id],
    queryFn: async () =>
      (await call<{ playbook: Playbook }>("GET", `/playbooks/${encodeURIComponent(id)}`)).playbook,
    enabled: !isNew,
  });
  return (
    <Page title={isNew ? "New playbook" : "Playbook"}>
      {!isNew && <Waiting query={query} />}
      {(isNew || query.data) && <Editor playbook={query.data} />}
    </Page>
  );
}

function Editor({ playbook }: { readonly playbook: Playbook | undefined }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(playbook));
  const [applicationId, setApplicationId] = useState(playbook?.applicationId ?? "");
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [, navigate] = useLocation();
  const ofApplication = `/applications/${encodeURIComponent(applicationId)}/playbooks`;
  const ofPlaybook = `/playbooks/${playbook?.id}`;
  const save = useAction(async () => {
    if (playbook) return call("PATCH", ofPlaybook, settingsOf(draft));
    const made = await call<{ playbook: Playbook }>("POST", ofApplication, settingsOf(draft));
    navigate(`/playbooks/${made.playbook.id}`);
    return made;
  });
  const remove = useAction(() => call("DELETE", ofPlaybook));
  const dryRun = useAction(() =>
    call<DryRun>("POST", `${ofApplication}/dry-run`, {
      ...settingsOf({ ...draft, name: draft.name || "Draft" }),
      days,
    }),
  );
  const askToRemove = (): void => {
    if (!confirm("Remove this playbook? What it has sent stays.")) return;
    remove.mutate(undefined, { onSuccess: () => navigate("/playbooks") });
  };
  return (
    <>
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {!playbook && (
          <ApplicationSelect value={applicationId} onChange={setApplicationId} none="Choose one" />
        )}
        <PlaybookFields draft={draft} onChange={setDraft} />
        <div className="row">
          <button type="submit" className="main" disabled={save.isPending || !applicationId}>
            Save
          </button>
          {playbook && (
            <button type="button" className="danger" onClick={askToRemove}>
              Remove
            </button>
          )}
        </div>
        {save.error && <Trouble error={save.error} />}
        {remove.error && <Trouble error={remove.error} />}
        {save.isSuccess && <Done>Saved.</Done>}
      </form>
      <Panel title="Dry run">
        <p>What it would have done, as it is above. Nothing is stored or sent.</p>
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            dryRun.mutate();
          }}
        >
          <label>
            Days back
            <input
              type="number"
              required
              min={1}
              max={MAX_DAYS}
              value={days}
              onChange={({ target }) => setDays(target.valueAsNumber)}
            />
          </label>
          <button type="submit" disabled={dryRun.isPending || !applicationId}>
            {dryRun.isPending ? "Running" : "Try it"}
          </button>
        </form>
        {dryRun.error && <Trouble error={dryRun.error} />}
        {dryRun.data && <DryRunResult result={dryRun.data} />}
      </Panel>
    </>
  );
}

function DryRunResult({ result }: { readonly result: DryRun }): ReactNode {
  const { responseCount, responses, events, isPartial, since } = result;
  return (
    <>
      <p role="status">
        {shownCount(responseCount)} {responseCount === 1 ? "response" : "responses"} to{" "}
        {isPartial && "the newest "}
        {shownCount(events)} {events === 1 ? "event" : "events"} since <Time at={since} />
        {responses.length < responseCount && `; the last ${responses.length} are shown`}
      </p>
      <ResponseTable responses={responses} />
    </>
  );
}
