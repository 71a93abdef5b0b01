import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { type Period, periodOf, type RangeText } from "../range.js";

interface UsedRange extends Period {
  readonly text: RangeText;
  /** The period as parameters of the administration API. */
  readonly query: { readonly since?: string; readonly until?: string };
  readonly set: (text: Partial<RangeText>) => void;
}

/**
 * The period that the page shows, stored in its URL; `usual` names the period without one. It ends when the page was opened or the period
 * was chosen, so that a list does not change while somebody reads it.
 */
export function useRange(usual = ""): UsedRange {
  const [search, setSearch] = useSearchParams();
  const range = search.get("range") ?? usual;
  const since = search.get("since") ?? "";
  const until = search.get("until") ?? "";
  const period = useMemo(() => {
    const text = { range, since, until };
    const now = Date.now();
    const { sinceMs, untilMs } = periodOf(text, now);
    const query = {
      ...(sinceMs !== undefined && { since: new Date(Math.min(sinceMs, now)).toISOString() }),
      ...(untilMs !== undefined && { until: new Date(Math.min(untilMs, now)).toISOString() }),
    };
    return { text, sinceMs, untilMs, query };
  }, [range, since, until]);
  return {
    ...period,
    set: (text) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const name of ["range", "since", "until"] as const) {
            const value = text[name] ?? "";
            if (value === "") next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
}
