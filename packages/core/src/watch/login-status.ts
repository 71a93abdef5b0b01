/** Statuses for wrong credentials, and for accounts that may not log in. */
const FAILURES: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 422, 423]);

/**
 * Infers a login's outcome from its response status: 2xx and 3xx mean success; 400, 401, 403, 404,
 * 410, 422 and 423 failure; any other, such as 429 and 5xx, neither.
 */
export function successOf(status: number): boolean | undefined {
  if (status >= 200 && status < 400) return true;
  return FAILURES.has(status) ? false : undefined;
}
