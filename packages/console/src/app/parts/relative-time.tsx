import type { ReactNode } from "react";
import { relativeText } from "../relative-text.js";
import { shownTime } from "../shown-value.js";
import { useNow } from "./use-now.js";

/** A moment as seen from now, with the exact one on hover; empty without one. */
export function RelativeTime({ at }: { readonly at: string | null }): ReactNode {
  const now = useNow();
  if (at === null) return null;
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={shownTime(at)}>
      {relativeText(time.getTime(), now)}
    </time>
  );
}
