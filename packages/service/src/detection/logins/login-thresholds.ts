import type { OptionReader } from "@riskgate/core/adapter";

/** When login outcomes make a security event. */
export interface LoginThresholds {
  /** How far back failures count, and how long the same attack is not reported again. */
  readonly windowMs: number;
  /** Failures on one account that are a brute force. */
  readonly bruteforceFailures: number;
  /** Accounts that one network fails on that are an account scan. */
  readonly scanAccounts: number;
  /** Real ones among them that are a targeted scan. */
  readonly scanRealAccounts: number;
  /** How far from every known place a new location is. */
  readonly newLocationKm: number;
  /** How far apart several locations are. */
  readonly multiLocationsKm: number;
  /** Within how long logins from them are simultaneous. */
  readonly multiLocationsWindowMs: number;
  /** Leading bits of an IPv6 address that are one visitor. */
  readonly ipv6Prefix: 64 | 128;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Longest distance on Earth, and a little more. */
const MAX_KM = 20_100;

export const LOGIN_DEFAULTS: LoginThresholds = {
  windowMs: 10 * MINUTE_MS,
  bruteforceFailures: 10,
  scanAccounts: 10,
  scanRealAccounts: 5,
  newLocationKm: 100,
  multiLocationsKm: 500,
  multiLocationsWindowMs: 10 * MINUTE_MS,
  ipv6Prefix: 64,
};

/** Reads the thresholds of logins, each with its default. */
export function readLoginThresholds(options: OptionReader): LoginThresholds {
  const count = (name: "bruteforceFailures" | "scanAccounts" | "scanRealAccounts"): number =>
    options.integer(name, LOGIN_DEFAULTS[name], { max: 1000 });
  const windowMs = (name: "windowMs" | "multiLocationsWindowMs"): number =>
    options.durationMs(name, LOGIN_DEFAULTS[name], { min: 1000, max: DAY_MS });
  const km = (name: "newLocationKm" | "multiLocationsKm"): number =>
    options.number(name, LOGIN_DEFAULTS[name], { max: MAX_KM });
  const ipv6Prefix = options.value("ipv6Prefix", LOGIN_DEFAULTS.ipv6Prefix);
  return {
    windowMs: windowMs("windowMs"),
    bruteforceFailures: count("bruteforceFailures"),
    scanAccounts: count("scanAccounts"),
    scanRealAccounts: count("scanRealAccounts"),
    newLocationKm: km("newLocationKm"),
    multiLocationsKm: km("multiLocationsKm"),
    multiLocationsWindowMs: windowMs("multiLocationsWindowMs"),
    ipv6Prefix:
      ipv6Prefix === 64 || ipv6Prefix === 128
        ? ipv6Prefix
        : options.refuse("ipv6Prefix", "64 or 128", ipv6Prefix),
  };
}
