/** Periods of lists and charts, by the word in the URL. */
export const RANGES = {
  "1h": { title: "1 h", ms: 3_600_000 },
  "24h": { title: "24 h", ms: 86_400_000 },
  "7d": { title: "7 days", ms: 604_800_000 },
  "30d": { title: "30 days", ms: 2_592_000_000 },
} as const;

export type RangeName = keyof typeof RANGES;

/** The period in the URL of a page; an absent parameter is empty. */
export interface RangeText {
  readonly range: string;
  readonly since: string;
  readonly until: string;
}

/** A period, in Unix time in milliseconds. Without a start it includes everything. */
export interface Period {
  readonly sinceMs: number | undefined;
  readonly untilMs: number | undefined;
}

/** Reads the period of a URL; an invalid part counts as absent. */
export function periodOf({ range, since, until }: RangeText, nowMs: number): Period {
  const sinceMs = timeIn(since);
  const untilMs = timeIn(until);
  if (sinceMs !== undefined || untilMs !== undefined) return { sinceMs, untilMs };
  const named = Object.hasOwn(RANGES, range) ? RANGES[range as RangeName] : undefined;
  return { sinceMs: named && nowMs - named.ms, untilMs: undefined };
}

/** A period as the end of a sentence: `in the last 24 h`. */
export function periodText({ range, since, until }: RangeText): string {
  if (since !== "" || until !== "" || !Object.hasOwn(RANGES, range)) return "in the chosen period";
  return `in the last ${RANGES[range as RangeName].title}`;
}

/** A moment as the text of a `datetime-local` field, in UTC. */
export function fieldText(atMs: number | undefined): string {
  return atMs === undefined ? "" : new Date(atMs).toISOString().slice(0, 16);
}

/** Reads `2026-01-31T12:00`, in UTC, as the field and the URL have it. */
function timeIn(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return undefined;
  const time = Date.parse(`${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}
