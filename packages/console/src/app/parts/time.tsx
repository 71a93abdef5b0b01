import type { ReactNode } from "react";
import { shownTime } from "../shown-value.js";

/** A moment, in UTC; empty without one. */
export function Time({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return null;
  return <time dateTime={new Date(at).toISOString()}>{shownTime(at)}</time>;
}
