import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { call } from "../call.js";
import { ApplicationForm } from "../parts/application-form.js";
import { Foreign } from "../parts/foreign.js";
import { KeysPanel } from "../parts/keys-panel.js";
import { Done, Trouble, Waiting } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { SecretsPanel } from "../parts/secrets-panel.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { VerifyForm } from "../parts/verify-form.js";
import { visible } from "../foreign-text.js";

/** One application: settings, keys and secrets. */
export function ApplicationPage({ id }: { readonly id: string }): ReactNode {
  const parts = { id };
  const [, navigate] = useLocation();
  const query = useAnswer("GET /applications/{id}", { parts });
  const test = useAction(() => call("POST /applications/{id}/test", { parts }));
  const turn = useAction((to: "enable" | "disable") =>
    call(`POST /applications/{id}/${to}`, { parts }),
  );
  const remove = useAction(() => call("DELETE /applications/{id}", { parts }));
  const latest = latestOf(test, turn, remove);
  const application = query.data?.application;
  const isOn = application?.disabledAt === null;
  const askToRemove = (): void => {
    if (!confirm("Delete this application with its keys, secrets and deliveries?")) return;
    remove.mutate(undefined, { onSuccess: () => navigate("/applications") });
  };
  return (
    <Page
      title={application ? visible(application.name) : "Application"}
      actions={
        application && (
          <>
            <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </button>
            <button
              type="button"
              disabled={turn.isPending}
              onClick={() => turn.mutate(isOn ? "disable" : "enable")}
            >
              {isOn ? "Disable" : "Enable"}
            </button>
            <button type="button" className="danger" onClick={askToRemove}>
              Delete
            </button>
          </>
        )
      }
    >
      {latest.error && <Trouble error={latest.error} />}
      {latest === test && test.isSuccess && <Done>A test is on its way.</Done>}
      <Waiting query={query} />
      {application?.disabledReason && (
        <p className="notice bad">
          Disabled: <Foreign>{application.disabledReason}</Foreign>
        </p>
      )}
      {application && (
        <>
          <ApplicationForm key={application.id} application={application} />
          <div className="columns">
            <KeysPanel applicationId={id} keys={query.data?.keys ?? []} />
            <SecretsPanel applicationId={id} />
          </div>
          <VerifyForm applicationId={id} />
        </>
      )}
    </Page>
  );
}
