import type { Label, ReportedLabel } from "@riskgate/api-types";
import { ShieldX, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../call.js";
import { Button } from "./button.js";
import { notify } from "./toasts.js";
import { useAction } from "./use-action.js";

const CHOICES = [
  ["fraud", "Label as fraud", ShieldX],
  ["legitimate", "Label as legitimate", ShieldCheck],
] as const;

/** Buttons that label a decision or an account; the latest label counts. */
export function LabelButtons({
  applicationId,
  about,
  label,
}: {
  readonly applicationId: string;
  readonly about: Omit<ReportedLabel, "label">;
  readonly label: Label | null;
}): ReactNode {
  const put = useAction((given: Label) =>
    call("POST /applications/{id}/labels", {
      parts: { id: applicationId },
      body: [{ ...about, label: given }],
    }),
  );
  return CHOICES.map(([word, text, icon]) => (
    <Button
      key={word}
      look="quiet"
      icon={icon}
      disabled={put.isPending || label === word}
      onClick={() =>
        put.mutate(word, {
          onSuccess: ({ elements: [element] }) =>
            element?.state === "refused"
              ? notify(element.reason ?? "The service refused the label", "bad")
              : notify(`Labelled as ${word}. Rehearsals use the label.`),
          onError: ({ message }) => notify(message, "bad"),
        })
      }
    >
      {text}
    </Button>
  ));
}
