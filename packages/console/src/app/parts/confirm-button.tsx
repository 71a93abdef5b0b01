import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "./button.js";
import { Dialog } from "./dialog.js";

/** A button whose action starts only after a second button in a dialog. */
export function ConfirmButton({
  title,
  question,
  action,
  isDangerous = true,
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick" | "title"> & {
  readonly title: string;
  /** What will happen. */
  readonly question: string;
  /** Name of the second button; default that of the first. */
  readonly action?: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={isDangerous ? "danger" : "plain"} {...button} onClick={() => setOpen(true)} />
      <Dialog
        title={title}
        isOpen={isOpen}
        onOpenChange={setOpen}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button
              look={isDangerous ? "danger main" : "main"}
              onClick={() => {
                setOpen(false);
                onConfirm();
              }}
            >
              {action ?? button.children}
            </Button>
          </>
        }
      >
        <p>{question}</p>
      </Dialog>
    </>
  );
}
