import type { Playbook } from "@riskgate/api-types";
import { type ReactNode, useId, useState } from "react";
import { draftOf, type PlaybookDraft, settingsOf } from "../playbook-draft.js";
import { Fault, faultyControl } from "./field.js";

/** The playbook as the administration API reads it. */
export function PlaybookJson({
  draft,
  onChange,
}: {
  readonly draft: PlaybookDraft;
  readonly onChange: (draft: PlaybookDraft) => void;
}): ReactNode {
  const id = useId();
  const [text, setText] = useState(() => JSON.stringify(settingsOf(draft), null, 2));
  const [fault, setFault] = useState<string>();
  const change = (to: string): void => {
    setText(to);
    const read = readSettings(to);
    setFault(typeof read === "string" ? read : undefined);
    if (typeof read !== "string") onChange(read);
  };
  return (
    <div className="field">
      <label>
        Playbook as JSON
        <textarea
          className="tall"
          spellCheck={false}
          {...faultyControl(id, fault)}
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      </label>
      <Fault id={id}>{fault}</Fault>
    </div>
  );
}

/** Returns the draft, or a message about the text. */
function readSettings(text: string): PlaybookDraft | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "This is not JSON yet.";
  }
  const { name, enabled = true, rule, response = {} } = (value ?? {}) as Partial<Playbook>;
  if (typeof name !== "string" || !isObject(rule) || !isObject(response)) {
    return "A playbook has a name, a rule and a response.";
  }
  const draft = draftOf({ name, enabled, rule, response } as Playbook);
  const isReadable =
    [draft.kinds, draft.genres].every(Array.isArray) &&
    [draft.count, draft.windowMinutes, draft.durationMinutes, draft.accountScoreAbove].every(
      (number) => typeof number === "number",
    );
  return isReadable ? draft : "A list or a number has another form than expected.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
