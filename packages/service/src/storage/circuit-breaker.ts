import { inTime } from "./postgres-query.js";

/** Asks a database that may not answer, for callers that can do without. */
export interface CircuitBreaker {
  /** Whether it has just failed, and is left alone for a while. */
  isOpen(): boolean;
  /** What was asked for; rejects when that fails, takes too long, or would end a rest. */
  ask<T>(work: () => Promise<T>): Promise<T>;
}

/** How long a database is left alone that did not answer in time. */
const REST_MS = 5_000;

/** Settings of a patience. */
export interface CircuitBreakerOptions {
  /** How long an answer is waited for; default 100 ms. */
  readonly ms?: number | undefined;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: (() => number) | undefined;
}

/** Creates a patience that is not tried yet. */
export function createCircuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  const { ms = 100, nowMs = () => performance.now() } = options;
  let restUntilMs = 0;
  const isOpen = (): boolean => nowMs() < restUntilMs;
  return {
    isOpen,
    async ask(work) {
      if (isOpen()) throw new Error("the database is left alone");
      try {
        return await inTime(work(), ms);
      } catch (error) {
        restUntilMs = nowMs() + REST_MS;
        throw error;
      }
    },
  };
}
