import { Inbox, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Shown instead of an empty list: what it would hold, and what to do. */
export function EmptyState({
  icon: Icon = Inbox,
  children,
}: {
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <Icon size={26} strokeWidth={1.5} aria-hidden />
      {typeof children === "string" ? <p>{children}</p> : children}
    </div>
  );
}
