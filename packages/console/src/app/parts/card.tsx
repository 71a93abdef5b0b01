import type { ReactNode } from "react";
import { Link } from "wouter";
import { shownCount } from "../shown-value.js";

/** One number that leads to the list behind it. */
export function FigureCard({
  href,
  count,
  children,
}: {
  readonly href: string;
  readonly count: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Link className="card figure" href={href}>
      <strong>{shownCount(count)}</strong> <span>{children}</span>
    </Link>
  );
}
