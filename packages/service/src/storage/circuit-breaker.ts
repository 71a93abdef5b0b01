import { GuardedServer } from "@riskgate/core/internal";

/** How long no query is sent after the database did not respond in time. */
const COOL_DOWN_MS = 5_000;

/**
 * Creates the circuit breaker for queries that have a fallback.
 *
 * @param timeoutMs Time limit for one response.
 * @param now Monotonic clock in milliseconds; default `performance.now`.
 */
export function createCircuitBreaker(timeoutMs: number = 100, now?: () => number): GuardedServer {
  const name = "the database";
  return new GuardedServer({ name, timeoutMs, coolDownMs: COOL_DOWN_MS, ...(now && { now }) });
}
