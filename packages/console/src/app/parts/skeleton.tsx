import type { ReactNode } from "react";

/** Lines in place of content that is still loading. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} aria-hidden />
      ))}
    </div>
  );
}
