import { type ReactNode, useState } from "react";
import { Ban } from "lucide-react";
import { DURATIONS, type DurationText, enumeration, sentText } from "../block-text.js";
import { call } from "../call.js";
import { visible } from "../foreign-text.js";
import { submitting } from "../submitting.js";
import { ApplicationSelect } from "./applications.js";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";
import { ErrorPanel } from "./error-panel.js";
import { Select } from "./select.js";
import { notify } from "./toasts.js";
import { useAction } from "./use-action.js";

/** Addresses and accounts on which an operator acts. */
export interface Subjects {
  readonly ips?: readonly string[];
  readonly accounts?: readonly string[];
}

/** A button that asks for how long to block, and where. */
export function BlockButton({
  subjects,
  applicationId = "",
  look = "danger",
  children = "Block",
}: {
  readonly subjects: Subjects;
  /** The application to choose first; default all. */
  readonly applicationId?: string;
  readonly look?: "danger" | "quiet";
  readonly children?: string;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} icon={Ban} onClick={() => setOpen(true)}>
        {children}
      </Button>
      <Dialog title={`Block ${namesOf(subjects)}`} isOpen={isOpen} onOpenChange={setOpen}>
        <BlockForm
          subjects={subjects}
          applicationId={applicationId}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

function BlockForm({
  subjects,
  applicationId: first,
  onClose,
}: {
  readonly subjects: Subjects;
  readonly applicationId: string;
  readonly onClose: () => void;
}): ReactNode {
  const [duration, setDuration] = useState<DurationText>("3600000");
  const [applicationId, setApplicationId] = useState(first);
  const [note, setNote] = useState("");
  const block = useAction(() =>
    call("POST /blocks", {
      body: {
        ...subjects,
        durationMs: Number(duration),
        applicationId: applicationId || undefined,
        note: note.trim() || undefined,
      },
    }),
  );
  const start = (): void =>
    block.mutate(undefined, {
      onSuccess({ sentTo }) {
        notify(sentText("Blocked", sentTo));
        onClose();
      },
    });
  return (
    <form className="stack tight" onSubmit={submitting(start)}>
      <p>
        The applications receive a security response, and reject requests once their block list
        applies it.
      </p>
      <label>
        For
        <Select choices={DURATIONS} value={duration} onChange={setDuration} />
      </label>
      <ApplicationSelect value={applicationId} onChange={setApplicationId} none="All" />
      <label>
        Reason
        <input
          maxLength={128}
          placeholder="Shown to the applications and in this console"
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      {block.error && <ErrorPanel error={block.error} />}
      <div className="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger main" disabled={block.isPending}>
          Block
        </Button>
      </div>
    </form>
  );
}

function namesOf({ ips = [], accounts = [] }: Subjects): string {
  return enumeration([...ips, ...accounts].map(visible));
}
