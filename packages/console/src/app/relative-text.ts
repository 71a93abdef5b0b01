const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * A moment as seen from now, in its largest unit: `just now`, `3 min ago`, `in 2 h`. Moments more
 * than 30 days away are shown as a date.
 */
export function relativeText(atMs: number, nowMs: number): string {
  const away = Math.abs(nowMs - atMs);
  if (away > 30 * DAY_MS) return new Date(atMs).toISOString().slice(0, 10);
  const text = awayText(away);
  if (text === undefined) return "just now";
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

function awayText(ms: number): string | undefined {
  if (ms < MINUTE_MS) return undefined;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}
