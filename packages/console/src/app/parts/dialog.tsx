import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

/** Content above the page, which holds the focus until it is closed. */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  actions,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}): ReactNode {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup className="dialog">
          <Base.Title>{title}</Base.Title>
          {children}
          {actions !== undefined && <div className="actions">{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
