/** Shortens a time of the service, in microseconds, to milliseconds: `2026-01-31T12:00:00.000Z`. */
export function timeText(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}\+00:00$/, "$1Z");
}
