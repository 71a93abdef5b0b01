import { Check, LockOpen, X } from "lucide-react";
import type { ReactNode } from "react";
import { sentText } from "../block-text.js";
import { call } from "../call.js";
import { BlockButton, type Subjects } from "./block-dialog.js";
import { Button } from "./button.js";
import { notify } from "./toasts.js";
import { useAction } from "./use-action.js";

/** Actions of an operator on one address or account. */
export function SubjectActions({
  subjects,
  isBlocked,
  isAllowed,
}: {
  readonly subjects: Subjects;
  readonly isBlocked: boolean;
  readonly isAllowed: boolean;
}): ReactNode {
  return (
    <>
      {isBlocked && <ReleaseButton subjects={subjects} />}
      <AllowButton subjects={subjects} isAllowed={isAllowed}>
        {subjects.ips ? "Allow the address" : "Allow the account"}
      </AllowButton>
      <BlockButton subjects={subjects}>{isBlocked ? "Block again" : "Block"}</BlockButton>
    </>
  );
}

export function ReleaseButton({
  subjects,
  applicationId,
  look = "plain",
  children = "Release",
}: {
  readonly subjects: Subjects;
  readonly applicationId?: string;
  readonly look?: "plain" | "quiet";
  readonly children?: string;
}): ReactNode {
  const release = useAction(() => call("POST /releases", { body: { ...subjects, applicationId } }));
  return (
    <Button
      look={look}
      icon={LockOpen}
      disabled={release.isPending}
      onClick={() =>
        release.mutate(undefined, {
          onSuccess: ({ sentTo }) => notify(sentText("Released", sentTo)),
          onError: ({ message }) => notify(message, "bad"),
        })
      }
    >
      {children}
    </Button>
  );
}

/** Adds to the operator rule that lets addresses and accounts pass, or removes from it. */
export function AllowButton({
  subjects,
  isAllowed,
  children,
}: {
  readonly subjects: Subjects;
  readonly isAllowed: boolean;
  /** Names the subjects. */
  readonly children: string;
}): ReactNode {
  const allow = useAction(() =>
    call("POST /allowances", { body: { ...subjects, allowed: !isAllowed } }),
  );
  const done = isAllowed ? "No longer allowed" : "Allowed";
  return (
    <Button
      icon={isAllowed ? X : Check}
      disabled={allow.isPending}
      onClick={() =>
        allow.mutate(undefined, {
          onSuccess: ({ sentTo }) => notify(sentText(done, sentTo)),
          onError: ({ message }) => notify(message, "bad"),
        })
      }
    >
      {isAllowed ? "Stop allowing" : children}
    </Button>
  );
}
