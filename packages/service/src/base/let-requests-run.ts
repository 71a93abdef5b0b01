/** Resolves after waiting requests were handled: on SQLite, work in the database never waits for anything. */
export function letRequestsRun(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
