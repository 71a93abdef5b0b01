import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { DryRun, Playbook } from "../administration.js";
import { call } from "../call.js";
import { ApplicationLink, RequiredApplication } from "../parts/applications.js";
import { focusFirstFault } from "../parts/field.js";
import { Facts } from "../parts/foreign.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page, Panel } from "../parts/page.js";
import { PlaybookFields } from "../parts/playbook-fields.js";
import { ResponseTable } from "../parts/response-table.js";
import { Time } from "../parts/time.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { draftOf, settingsOf } from "../playbook-draft.js";
import { faultsOf } from "../playbook-faults.js";
import { shownCount } from "../shown-value.js";

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

/** State of the page to which a new playbook leads. */
const MADE = { isMade: true };

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
  const [asked, setAsked] = useState<{ readonly to: "save" | "try" }>();
  const [isMade, setMade] = useState(() => (history.state as typeof MADE | null)?.isMade === true);
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const ofApplication = `/applications/${encodeURIComponent(applicationId)}/playbooks`;
  const ofPlaybook = `/playbooks/${playbook?.id}`;
  const save = useAction(async () => {
    if (playbook) return call("PATCH", ofPlaybook, settingsOf(draft));
    const made = await call<{ playbook: Playbook }>("POST", ofApplication, settingsOf(draft));
    navigate(`/playbooks/${made.playbook.id}`, { state: MADE });
    return made;
  });
  const remove = useAction(() => call("DELETE", ofPlaybook));
  const dryRun = useAction(() =>
    call<DryRun>("POST", `${ofApplication}/dry-run`, {
      ...settingsOf({ ...draft, name: draft.name || "Draft" }),
      days,
    }),
  );
  const latest = latestOf(save, remove);
  const faults = asked ? faultsOf(draft, applicationId, asked.to) : {};
  // Said once, and not again when the page is loaded again.
  useEffect(() => history.replaceState(null, ""), []);
  useEffect(() => focusFirstFault(form.current), [asked]);
  /** Saves or tries the draft, or shows what keeps it from that. */
  const ask = (to: "save" | "try"): void => {
    setAsked({ to });
    if (Object.keys(faultsOf(draft, applicationId, to)).length > 0) return;
    setMade(false);
    (to === "save" ? save : dryRun).mutate();
  };
  /** What came of the draft before is not true of another one. */
  const forget = (): void => {
    save.reset();
    dryRun.reset();
    setMade(false);
  };
  const askToRemove = (): void => {
    if (!confirm("Remove this playbook? What it has sent stays.")) return;
    remove.mutate(undefined, { onSuccess: () => navigate("/playbooks") });
  };
  return (
    <>
      <form
        ref={form}
        className="panel"
        // What is wrong is said below each field.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          ask("save");
        }}
      >
        {playbook ? (
          <Facts facts={[["Application", <ApplicationLink key="app" id={applicationId} />]]} />
        ) : (
          <RequiredApplication
            value={applicationId}
            onChange={(id) => {
              setApplicationId(id);
              forget();
            }}
            none="Choose one"
            fault={faults.applicationId}
          />
        )}
        <PlaybookFields
          draft={draft}
          faults={faults}
          onChange={(changed) => {
            setDraft(changed);
            forget();
          }}
        />
        <div className="row">
          <button type="submit" className="main" disabled={save.isPending}>
            Save
          </button>
          {playbook && (
            <button type="button" className="danger" onClick={askToRemove}>
              Remove
            </button>
          )}
        </div>
        {latest.error && <Trouble error={latest.error} />}
        {(isMade || (latest === save && save.isSuccess)) && <Done>Saved.</Done>}
      </form>
      <Panel title="Dry run">
        <p>What it would have done, as it is above. Nothing is stored or sent.</p>
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            ask("try");
          }}
        >
          <label>
            Days back
            <input
              type="number"
              required
              min={1}
              max={MAX_DAYS}
              value={Number.isNaN(days) ? "" : days}
              onChange={({ target }) => setDays(target.valueAsNumber)}
            />
          </label>
          <button type="submit" disabled={dryRun.isPending}>
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
