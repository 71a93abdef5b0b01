/** How failed attempts are repeated. */
export interface RetrySchedule {
  /** Attempts of one delivery, the first included. */
  readonly maxAttempts: number;
  /** Wait after the first failure. */
  readonly firstWaitMs: number;
  /** Wait before the last attempt; those between grow by one and the same factor. */
  readonly lastWaitMs: number;
}

/** 12 attempts within about 11 hours. A choice of ours: the specification names no schedule. */
export const RETRY_SCHEDULE: RetrySchedule = {
  maxAttempts: 12,
  firstWaitMs: 5_000,
  lastWaitMs: 6 * 3_600_000,
};

/** Each wait is spread by this share to both sides. */
const JITTER = 0.2;

/** Longest wait that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** What a wait depends on. */
export interface FailedAttempt {
  /** Number of the attempt that failed, from 1. */
  readonly number: number;
  /** `Retry-After` of the answer, as sent. */
  readonly retryAfter?: string | undefined;
  /** Time of day, for a `Retry-After` that is a date. */
  readonly epochMs: number;
  /** From 0 to 1, the ends included. */
  readonly random: number;
}

/**
 * Tell how long to wait after a failed attempt.
 *
 * `Retry-After` can only make the wait longer, and up to one hour.
 *
 * @returns Milliseconds, or undefined when there is no further attempt.
 */
export function nextWaitMs(failed: FailedAttempt, schedule: RetrySchedule): number | undefined {
  const { maxAttempts, firstWaitMs, lastWaitMs } = schedule;
  if (failed.number >= maxAttempts) return undefined;
  const steps = Math.max(1, maxAttempts - 2);
  const factor = (lastWaitMs / firstWaitMs) ** (1 / steps);
  const base = Math.min(lastWaitMs, firstWaitMs * factor ** (failed.number - 1));
  const spread = base * (1 + JITTER * (2 * failed.random - 1));
  return Math.max(spread, retryAfterMs(failed.retryAfter, failed.epochMs) ?? 0);
}

const SECONDS = /^[0-9]+$/;
// `Date.parse` alone takes almost any text with a number in it for a date.
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .+ [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Read a `Retry-After` header, clamped to one hour; undefined when it cannot be understood. */
function retryAfterMs(value: string | undefined, epochMs: number): number | undefined {
  if (value === undefined) return undefined;
  const waitMs = SECONDS.test(value)
    ? Number(value) * 1000
    : HTTP_DATE.test(value)
      ? Date.parse(value) - epochMs
      : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}
