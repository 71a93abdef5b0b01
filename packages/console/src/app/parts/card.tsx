import type { ReactNode } from "react";
import { Link } from "wouter";
import { shownCount } from "../shown-value.js";

/** One number that leads to the list behind it. */
export function FigureCard({
  href,
  count,
  tone = "",
  children,
}: {
  readonly href: string;
  readonly count: number;
  readonly tone?: "" | "warn" | "bad";
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Link className="card figure" href={href}>
      <strong className={tone}>{shownCount(count)}</strong> <span>{children}</span>
    </Link>
  );
}
