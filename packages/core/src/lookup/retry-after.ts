const MAX_WAIT_MS = 60_000;

const SECONDS = /^[0-9]+$/;
// Needed because `Date.parse` accepts almost any text with a number as a date.
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .+ [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/**
 * Reads a `Retry-After` header.
 * @param value Whole seconds or an HTTP date.
 * @param epochMs Current time, in milliseconds since 1970.
 * @param maxMs Maximum wait; longer ones are reduced to it. Default 60,000.
 * @returns 0 to `maxMs`, or undefined if the header is missing or unreadable.
 */
export function parseRetryAfter(
  value: string | undefined,
  epochMs: number,
  maxMs: number = MAX_WAIT_MS,
): number | undefined {
  if (value === undefined) return undefined;
  if (SECONDS.test(value)) return Math.min(Number(value) * 1000, maxMs);
  if (!HTTP_DATE.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - epochMs, 0), maxMs);
}
