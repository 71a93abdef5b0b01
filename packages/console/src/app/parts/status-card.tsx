import { CircleCheck, ShieldAlert, TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

const ICONS = { good: CircleCheck, warn: TriangleAlert, bad: ShieldAlert };

/** The answer to one question about everything, with its reasons. */
export function StatusCard({
  tone,
  title,
  isShort = false,
  children,
}: {
  readonly tone: keyof typeof ICONS;
  readonly title: string;
  /** Puts the reason beside the answer. */
  readonly isShort?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const id = useId();
  const Icon = ICONS[tone];
  return (
    <div
      className={`card status ${tone} ${isShort ? "short" : ""}`}
      role="group"
      aria-labelledby={id}
    >
      <Icon size={20} aria-hidden />
      <div>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </div>
  );
}
