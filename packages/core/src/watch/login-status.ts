/** Statuses of wrong credentials, and of accounts that may not log in. */
const FAILURES: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 422, 423]);

/**
 * Returns how a login ended by the status of its answer: 2xx and 3xx are a success; 400, 401, 403, 404,
 * 410, 422 and 423 a failure; any other, such as 429 and 5xx, is about something else.
 */
export function successOf(status: number): boolean | undefined {
  if (status >= 200 && status < 400) return true;
  return FAILURES.has(status) ? false : undefined;
}
