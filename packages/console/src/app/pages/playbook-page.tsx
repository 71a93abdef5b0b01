import type { DryRun, Playbook } from "@riskgate/api-types";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../parts/button.js";
import { call } from "../call.js";
import { causePath, type DryRunCause } from "../dry-run-cause.js";
import { ApplicationLink, RequiredApplication } from "../parts/applications.js";
import { ConfirmButton } from "../parts/confirm-button.js";
import { DaysField, DEFAULT_DAYS } from "../parts/days-field.js";
import { visible } from "../foreign-text.js";
import { focusFirstFault } from "../parts/field.js";
import { Facts, Foreign } from "../parts/foreign.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { Notice } from "../parts/notice.js";
import { Waiting } from "../parts/waiting.js";
import { Page } from "../parts/page.js";
import { Section } from "../parts/section.js";
import { PlaybookFields } from "../parts/playbook-fields.js";
import { PlaybookJson } from "../parts/playbook-json.js";
import { ResponseTable } from "../parts/response-table.js";
import { Tabs } from "../parts/tabs.js";
import { Time } from "../parts/time.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { draftOf, type PlaybookDraft, settingsOf } from "../playbook-draft.js";
import { faultsOf } from "../playbook-faults.js";
import { playbookText } from "../rule-text.js";
import { countText } from "../shown-value.js";
import { submitting } from "../submitting.js";

/** State of the page of a playbook that was just created. */
const CREATED = { isCreated: true };

export function PlaybookPage({ id }: { readonly id: string }): ReactNode {
  const isNew = id === "new";
  const query = useAnswer("GET /playbooks/{id}", { parts: { id } }, { enabled: !isNew });
  return (
    <Page title={isNew ? "New playbook" : visible(query.data?.playbook.name ?? "Playbook")}>
      {!isNew && <Waiting query={query} />}
      {(isNew || query.data) && <Editor playbook={query.data?.playbook} />}
    </Page>
  );
}

/** Actions on a draft, which check it before they start. */
function useDraftActions(playbook: Playbook | undefined, draft: PlaybookDraft, id: string) {
  const [, navigate] = useLocation();
  const [isCreated, setCreated] = useState(
    () => (history.state as typeof CREATED | null)?.isCreated === true,
  );
  // Shown once, and not again after a reload.
  useEffect(() => history.replaceState(null, ""), []);
  const ofPlaybook = { id: playbook?.id ?? "" };
  const save = useAction(async () => {
    const body = settingsOf(draft);
    if (playbook) return call("PATCH /playbooks/{id}", { parts: ofPlaybook, body });
    const made = await call("POST /applications/{id}/playbooks", { parts: { id }, body });
    navigate(`/playbooks/${made.playbook.id}`, { state: CREATED });
    return made;
  });
  const remove = useAction(() => call("DELETE /playbooks/{id}", { parts: ofPlaybook }));
  const dryRun = useAction((days: number) =>
    call("POST /applications/{id}/playbooks/dry-run", {
      parts: { id },
      body: { ...settingsOf({ ...draft, name: draft.name || "Draft" }), days },
    }),
  );
  /** Clears the results of another draft. */
  const reset = (): void => {
    save.reset();
    dryRun.reset();
    setCreated(false);
  };
  const removeIt = (): void => {
    remove.mutate(undefined, { onSuccess: () => navigate("/playbooks") });
  };
  const latest = latestOf(save, remove);
  const isSaved = isCreated || (latest === save && save.isSuccess);
  return { save, dryRun, reset, removeIt, error: latest.error, isSaved, setCreated };
}

function Editor({ playbook }: { readonly playbook: Playbook | undefined }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(playbook));
  const [applicationId, setApplicationId] = useState(playbook?.applicationId ?? "");
  const [asked, setAsked] = useState<{ readonly to: "save" | "try" }>();
  const form = useRef<HTMLFormElement>(null);
  const actions = useDraftActions(playbook, draft, applicationId);
  const { save, dryRun, reset } = actions;
  const faults = asked ? faultsOf(draft, applicationId, asked.to) : {};
  useEffect(() => focusFirstFault(form.current), [asked]);
  const change = (changed: PlaybookDraft): void => {
    setDraft(changed);
    reset();
  };
  /** Starts an action, or shows the invalid fields. */
  const ask = (to: "save" | "try", start: () => void): void => {
    setAsked({ to });
    if (Object.keys(faultsOf(draft, applicationId, to)).length > 0) return;
    actions.setCreated(false);
    start();
  };
  return (
    <>
      <form
        ref={form}
        className="section"
        // Messages are shown below each field.
        noValidate
        onSubmit={submitting(() => ask("save", () => save.mutate()))}
      >
        {playbook ? (
          <Facts facts={[["Application", <ApplicationLink key="app" id={applicationId} />]]} />
        ) : (
          <RequiredApplication
            value={applicationId}
            onChange={(id) => {
              setApplicationId(id);
              reset();
            }}
            none="Choose one"
            fault={faults.applicationId}
          />
        )}
        <DraftFields draft={draft} faults={faults} onChange={change} />
        <div className="row between">
          <Button type="submit" look="main" disabled={save.isPending}>
            Save
          </Button>
          {playbook && (
            <ConfirmButton
              title="Remove this playbook?"
              question="The responses that it has sent remain."
              onConfirm={actions.removeIt}
            >
              Remove
            </ConfirmButton>
          )}
        </div>
        {actions.error && <ErrorPanel error={actions.error} />}
        {actions.isSaved && <Notice tone="good">Saved.</Notice>}
      </form>
      <DryRunPanel
        applicationId={applicationId}
        rule={settingsOf(draft).rule}
        isPending={dryRun.isPending}
        error={dryRun.error}
        result={dryRun.data}
        onTry={(days) => ask("try", () => dryRun.mutate(days))}
      />
    </>
  );
}

/** The playbook in words, above its two forms. */
function DraftFields(props: ComponentProps<typeof PlaybookFields>): ReactNode {
  const { draft, onChange } = props;
  return (
    <>
      <p className="sentence" aria-live="polite">
        <Foreign>{playbookText(settingsOf(draft) as Playbook)}</Foreign>
      </p>
      <Tabs
        label="Ways to edit"
        tabs={[
          { name: "rows", title: "Playbook", content: <PlaybookFields {...props} /> },
          {
            name: "json",
            title: "JSON",
            content: <PlaybookJson draft={draft} onChange={onChange} />,
          },
        ]}
      />
    </>
  );
}

function DryRunPanel({
  applicationId,
  rule,
  isPending,
  error,
  result,
  onTry,
}: DryRunCause & {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly result: DryRun | undefined;
  readonly onTry: (days: number) => void;
}): ReactNode {
  const [days, setDays] = useState(DEFAULT_DAYS);
  return (
    <Section
      title="Dry run"
      about="The responses that this playbook would have sent. Nothing is stored or sent."
    >
      <form className="row" onSubmit={submitting(() => onTry(days))}>
        <DaysField days={days} onChange={setDays} />
        <Button type="submit" disabled={isPending}>
          {isPending ? "Running" : "Try it"}
        </Button>
      </form>
      {error && <ErrorPanel error={error} />}
      {result && <DryRunResult result={result} cause={{ applicationId, rule }} />}
    </Section>
  );
}

function DryRunResult({
  result,
  cause,
}: {
  readonly result: DryRun;
  readonly cause: DryRunCause;
}): ReactNode {
  const { responseCount, responses, events, isPartial, since } = result;
  return (
    <>
      <p role="status">
        {countText(responseCount, "response")} to {isPartial && "the newest "}
        {countText(events, "event")} since <Time at={since} />
        {responses.length < responseCount && `; the last ${responses.length} are shown`}
      </p>
      <ResponseTable responses={responses} causeOf={(one) => causePath(one, cause)} />
    </>
  );
}
