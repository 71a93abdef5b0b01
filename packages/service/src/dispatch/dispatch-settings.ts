import { RiskGateError } from "@riskgate/core";
import type { Listener } from "./destination.js";
import { createSystemResolve, type Resolve } from "./guarded-lookup.js";
import { RETRY_SCHEDULE, type RetrySchedule } from "./schedule.js";

/** How deliveries are made and sent. */
export interface DispatchSettings {
  /** One deadline over everything about one attempt. Default 10,000. */
  readonly timeoutMs: number;
  /** How long a payload waits for others to join its delivery. Default 1,000; 0 for not at all. */
  readonly maxWaitMs: number;
  /**
   * Deliveries of one application in hand at a time. Of these, first attempts go out one after the
   * other, in order; the rest are retries. Default 4.
   */
  readonly concurrency: number;
  /** Default {@link RETRY_SCHEDULE}. */
  readonly retry: RetrySchedule;
  /** How long an endpoint may fail, without one success, before it is disabled. Default 5 days. */
  readonly disableAfterMs: number;
  /** How long attempts may go on when the dispatcher is closed. Default 5,000. */
  readonly closeGraceMs: number;
  /** PEM text of certificate authorities to trust instead of the usual ones. */
  readonly ca?: string;
  /** Where this process listens: no delivery goes there. */
  readonly listeners: () => readonly Listener[];
  /** Finds the addresses of hosts; default the resolver of the system. */
  readonly resolve: Resolve;
  /** From 0 to below 1; spreads the retries. */
  readonly random: () => number;
}

const DAY_MS = 86_400_000;

/** Longest delay that a timer of Node can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Check the settings and add the defaults.
 *
 * @throws {RiskGateError} CONFIG_INVALID.
 */
export function resolveDispatchSettings(given: Partial<DispatchSettings> = {}): DispatchSettings {
  const retry = given.retry ?? RETRY_SCHEDULE;
  const settings: DispatchSettings = {
    timeoutMs: number("timeoutMs", given.timeoutMs ?? 10_000, 1, MAX_TIMER_MS),
    maxWaitMs: number("maxWaitMs", given.maxWaitMs ?? 1_000, 0, MAX_TIMER_MS),
    concurrency: whole("concurrency", given.concurrency ?? 4, 1_000),
    retry: {
      maxAttempts: whole("retry.maxAttempts", retry.maxAttempts, 1_000),
      firstWaitMs: number("retry.firstWaitMs", retry.firstWaitMs, 1, Number.MAX_SAFE_INTEGER),
      lastWaitMs: number(
        "retry.lastWaitMs",
        retry.lastWaitMs,
        retry.firstWaitMs,
        Number.MAX_SAFE_INTEGER,
      ),
    },
    disableAfterMs: number("disableAfterMs", given.disableAfterMs ?? 5 * DAY_MS, 0, Infinity),
    closeGraceMs: number("closeGraceMs", given.closeGraceMs ?? 5_000, 0, MAX_TIMER_MS),
    listeners: given.listeners ?? (() => []),
    resolve: given.resolve ?? createSystemResolve(),
    random: given.random ?? Math.random,
  };
  return given.ca === undefined ? settings : { ...settings, ca: given.ca };
}

function number(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && value >= min && value <= max) return value;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `\`${name}\` must be a number from ${min} to ${max}, given ${String(value)}`,
  );
}

function whole(name: string, value: number, max: number): number {
  if (Number.isInteger(value)) return number(name, value, 1, max);
  throw new RiskGateError(
    "CONFIG_INVALID",
    `\`${name}\` must be a whole number from 1 to ${max}, given ${String(value)}`,
  );
}
