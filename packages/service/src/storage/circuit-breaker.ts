import { GuardedServer } from "@riskgate/core/internal";

/** How long a database gets no question after it did not answer in time. */
const COOL_DOWN_MS = 5_000;

/**
 * Makes the circuit breaker for questions to the database that have a fallback.
 *
 * @param timeoutMs Time for one answer.
 * @param now Monotonic clock in milliseconds; default `performance.now`.
 */
export function createCircuitBreaker(timeoutMs: number = 100, now?: () => number): GuardedServer {
  const name = "the database";
  return new GuardedServer({ name, timeoutMs, coolDownMs: COOL_DOWN_MS, ...(now && { now }) });
}
