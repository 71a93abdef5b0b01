import { Send, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { call } from "../call.js";
import { visible } from "../foreign-text.js";
import { ApplicationForm } from "../parts/application-form.js";
import { Button } from "../parts/button.js";
import { ConfirmButton } from "../parts/confirm-button.js";
import { ErrorPanel } from "../parts/error-panel.js";
import { KeysPanel } from "../parts/keys-panel.js";
import { Page } from "../parts/page.js";
import { SecretsPanel } from "../parts/secrets-panel.js";
import { Tabs } from "../parts/tabs.js";
import { notify } from "../parts/toasts.js";
import { latestOf, useAction } from "../parts/use-action.js";
import { useAnswer } from "../parts/use-answer.js";
import { VerifyForm } from "../parts/verify-form.js";
import { Waiting } from "../parts/waiting.js";

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
  const actions = application && (
    <>
      <Button
        look="main"
        icon={Send}
        disabled={test.isPending}
        onClick={() => test.mutate(undefined, { onSuccess: () => notify("Test sent.") })}
      >
        Send a test
      </Button>
      <Button disabled={turn.isPending} onClick={() => turn.mutate(isOn ? "disable" : "enable")}>
        {isOn ? "Disable" : "Enable"}
      </Button>
      <ConfirmButton
        icon={Trash2}
        title="Delete this application?"
        question="Its keys, secrets and deliveries are deleted with it. This cannot be undone."
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate("/applications") })}
      >
        Delete
      </ConfirmButton>
    </>
  );
  return (
    <Page title={application ? visible(application.name) : "Application"} actions={actions}>
      {latest.error && <ErrorPanel error={latest.error} />}
      <Waiting query={query} />
      {application?.disabledReason && (
        <ErrorPanel error={`Disabled: ${application.disabledReason}`} />
      )}
      {application && (
        <Tabs
          label="Parts of the application"
          tabs={[
            {
              name: "settings",
              title: "Settings",
              content: <ApplicationForm key={application.id} application={application} />,
            },
            {
              name: "keys",
              title: "Keys and secrets",
              content: (
                <div className="columns">
                  <KeysPanel applicationId={id} keys={query.data?.keys ?? []} />
                  <SecretsPanel applicationId={id} />
                </div>
              ),
            },
            {
              name: "verify",
              title: "Verify a signature",
              content: <VerifyForm applicationId={id} />,
            },
          ]}
        />
      )}
    </Page>
  );
}
