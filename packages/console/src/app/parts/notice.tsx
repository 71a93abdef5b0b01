import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const ICONS = { good: CircleCheck, warn: TriangleAlert, info: Info };

/** A sentence that stays on the page. Use a toast for the result of an action. */
export function Notice({
  tone = "info",
  children,
}: {
  readonly tone?: "good" | "warn" | "info";
  readonly children: ReactNode;
}): ReactNode {
  const Icon = ICONS[tone];
  return (
    <div className={`notice ${tone}`} role="status">
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
