import type { ReactNode } from "react";
import { shownTime } from "../shown-value.js";
import { RelativeTime } from "./relative-time.js";

/** The exact moment, in UTC; empty without one. */
export function Time({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return null;
  return <time dateTime={new Date(at).toISOString()}>{shownTime(at)}</time>;
}

/** The exact moment, and how long ago it is. */
export function Moment({ at }: { readonly at: string | null }): ReactNode {
  if (at === null) return null;
  return (
    <>
      <Time at={at} />{" "}
      <span className="dim">
        (<RelativeTime at={at} />)
      </span>
    </>
  );
}
