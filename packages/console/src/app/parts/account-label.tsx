import type { SubjectHistory } from "@riskgate/api-types";
import type { ReactNode } from "react";
import { ApplicationLink, useApplications } from "./applications.js";
import { Badge } from "./badge.js";
import { LabelButtons } from "./label-buttons.js";
import { RelativeTime } from "./relative-time.js";
import { Section } from "./section.js";

/** Labels of an account, and buttons that label it in the chosen or only application. */
export function AccountLabel({
  history: { subject, labels },
  applicationId,
  digest,
}: {
  readonly history: Pick<SubjectHistory, "subject" | "labels">;
  /** Empty if none is chosen. */
  readonly applicationId: string;
  /** Digest in decision logs; empty until one is computed. */
  readonly digest: string;
}): ReactNode {
  const applications = useApplications() ?? [];
  const id = applicationId || (applications.length === 1 ? applications[0]!.id : "");
  return (
    <Section
      title="Label"
      about={
        digest === ""
          ? "Find logged decisions first, so that the label counts for them in rehearsals."
          : "Counts for the logged decisions in rehearsals."
      }
    >
      {labels.map(({ applicationId: of, label, labelledAt }) => (
        <p key={of}>
          <Badge>{label}</Badge> in <ApplicationLink id={of} />, <RelativeTime at={labelledAt} />
        </p>
      ))}
      {id === "" ? (
        <p className="dim">Choose an application to label the account.</p>
      ) : (
        <div className="row middle">
          <LabelButtons
            applicationId={id}
            about={{ account: subject, ...(digest !== "" && { digest }) }}
            label={null}
          />
        </div>
      )}
    </Section>
  );
}
