import type { IncidentHistory } from "@riskgate/api-types";
import { MessageSquare } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "../call.js";
import { submitting } from "../submitting.js";
import { Button } from "./button.js";
import { ErrorPanel } from "./error-panel.js";
import { Foreign } from "./foreign.js";
import { RelativeTime } from "./relative-time.js";
import { Section } from "./section.js";
import { useAction } from "./use-action.js";

/** Comments of an incident, and a form that adds one. */
export function CommentPanel({
  history: { incident, comments },
}: {
  readonly history: IncidentHistory;
}): ReactNode {
  const [text, setText] = useState("");
  const comment = useAction(() =>
    call("POST /incidents/{id}/comments", { parts: { id: incident.id }, body: { text } }),
  );
  const add = (): void => comment.mutate(undefined, { onSuccess: () => setText("") });
  return (
    <Section title="Comments">
      {comments.length > 0 && (
        <ol className="comments">
          {comments.map(({ at, action, text: said }, index) => (
            <li key={index}>
              <span className="dim">
                {action === "close" ? "Closed " : ""}
                <RelativeTime at={at} />
              </span>
              {said !== "" && <Foreign>{said}</Foreign>}
            </li>
          ))}
        </ol>
      )}
      <form className="stack tight" onSubmit={submitting(add)}>
        <textarea
          className="plain"
          aria-label="Comment"
          placeholder="What you found, or what you did"
          required
          maxLength={2_000}
          rows={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {comment.error && <ErrorPanel error={comment.error} />}
        <div className="actions end">
          <Button type="submit" icon={MessageSquare} disabled={comment.isPending}>
            Comment
          </Button>
        </div>
      </form>
    </Section>
  );
}
