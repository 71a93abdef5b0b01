import type { OptionReader } from "@riskgate/core/adapter";
import { createSystemResolve, type Resolve } from "@riskgate/core/address";
import { RETRY_SCHEDULE, type RetrySchedule } from "./retry-schedule.js";

export interface DeliverySettings {
  /** Time limit for a whole attempt. Default 10,000. */
  readonly timeoutMs: number;
  /** How long a payload waits for others to join its delivery; 0 for no wait. Default 1,000. */
  readonly maxWaitMs: number;
  /**
   * Maximum number of concurrent requests to one application. First attempts are sent one at a time
   * and in order; the others are retries. Default 4.
   */
  readonly concurrency: number;
  /** Default: 12 attempts within about 11 hours, with increasing waits. */
  readonly retry: RetrySchedule;
  /**
   * How long an endpoint may fail, without one success, before it is disabled. Default 5 days;
   * `Infinity` for never.
   */
  readonly disableAfterMs: number;
  /** How long attempts may continue after the dispatcher is closed. Default 5,000. */
  readonly closeGraceMs: number;
  /** PEM text of certificate authorities to trust instead of the default ones. */
  readonly ca: string | undefined;
  /** Resolves host names; default the system resolver. */
  readonly resolve: Resolve;
}

const DAY_MS = 86_400_000;

const DEFAULTS = {
  timeoutMs: 10_000,
  maxWaitMs: 1_000,
  concurrency: 4,
  disableAfterMs: 5 * DAY_MS,
  closeGraceMs: 5_000,
};

export function defaultDeliverySettings(): DeliverySettings {
  return { ...DEFAULTS, retry: RETRY_SCHEDULE, ca: undefined, resolve: createSystemResolve() };
}

/**
 * Reads the service option `delivery`.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function readDeliverySettings(options: OptionReader): DeliverySettings {
  const delivery = options.group("delivery") ?? options.refuse("delivery", "an object", false);
  return {
    timeoutMs: delivery.durationMs("timeoutMs", DEFAULTS.timeoutMs),
    maxWaitMs: delivery.durationMs("maxWaitMs", DEFAULTS.maxWaitMs, { min: 0 }),
    concurrency: delivery.integer("concurrency", DEFAULTS.concurrency, { max: 1_000 }),
    retry: readRetrySchedule(delivery),
    // No timer uses this duration, so timer limits do not apply.
    disableAfterMs: delivery.durationMs("disableAfterMs", DEFAULTS.disableAfterMs, {
      min: 0,
      max: Infinity,
    }),
    closeGraceMs: delivery.durationMs("closeGraceMs", DEFAULTS.closeGraceMs, { min: 0 }),
    ca: delivery.string("ca"),
    resolve: delivery.function<Resolve>("resolve") ?? createSystemResolve(),
  };
}

function readRetrySchedule(delivery: OptionReader): RetrySchedule {
  const retry = delivery.group("retry") ?? delivery.refuse("retry", "an object", false);
  const firstWaitMs = retry.durationMs("firstWaitMs", RETRY_SCHEDULE.firstWaitMs);
  return {
    maxAttempts: retry.integer("maxAttempts", RETRY_SCHEDULE.maxAttempts, { max: 1_000 }),
    firstWaitMs,
    lastWaitMs: retry.durationMs("lastWaitMs", RETRY_SCHEDULE.lastWaitMs, { min: firstWaitMs }),
  };
}
