import { parseRetryAfter } from "@riskgate/core/internal";

export interface RetrySchedule {
  /** Maximum attempts for one delivery, including the first. */
  readonly maxAttempts: number;
  readonly firstWaitMs: number;
  /** Wait before the last attempt; the waits in between grow by a constant factor. */
  readonly lastWaitMs: number;
}

/** 12 attempts within about 11 hours. The specification does not define a schedule. */
export const RETRY_SCHEDULE: RetrySchedule = {
  maxAttempts: 12,
  firstWaitMs: 5_000,
  lastWaitMs: 6 * 3_600_000,
};

/** Fraction by which each wait varies in both directions. */
const JITTER = 0.2;

/** Longest wait that an endpoint can request. */
const MAX_RETRY_AFTER_MS = 3_600_000;

export interface FailedAttempt {
  /** Number of the attempt that failed, from 1. */
  readonly number: number;
  readonly retryAfter?: string | undefined;
  /** Current time, for a `Retry-After` that is a date. */
  readonly epochMs: number;
  /** Number from 0 to 1, both included. */
  readonly random: number;
}

/**
 * Calculates the wait after a failed attempt. `Retry-After` can only lengthen it, up to one hour.
 *
 * @returns Milliseconds, or undefined after the last attempt.
 */
export function nextWaitMs(failed: FailedAttempt, schedule: RetrySchedule): number | undefined {
  const { maxAttempts, firstWaitMs, lastWaitMs } = schedule;
  if (failed.number >= maxAttempts) return undefined;
  const steps = Math.max(1, maxAttempts - 2);
  const factor = (lastWaitMs / firstWaitMs) ** (1 / steps);
  const base = Math.min(lastWaitMs, firstWaitMs * factor ** (failed.number - 1));
  const spread = base * (1 + JITTER * (2 * failed.random - 1));
  const asked = parseRetryAfter(failed.retryAfter, failed.epochMs, MAX_RETRY_AFTER_MS);
  return Math.max(spread, asked ?? 0);
}
