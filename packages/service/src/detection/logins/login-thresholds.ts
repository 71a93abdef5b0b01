import type { OptionReader } from "@riskgate/core/adapter";

/** Thresholds at which login outcomes become a security event. */
export interface LoginThresholds {
  /** How far back failures count, and how long a continuing attack is not reported again. */
  readonly windowMs: number;
  /** Failures on one account that constitute a brute-force attack. */
  readonly bruteforceFailures: number;
  /** Failures of one network on one account above which a brute-force event names the network. */
  readonly addressFailures: number;
  /** Minimum share of failed accounts for a network to count as attacking. */
  readonly failureShare: number;
  /** Accounts with failures from one network that constitute an account scan. */
  readonly scanAccounts: number;
  /** Existing accounts among these that constitute a targeted scan. */
  readonly scanRealAccounts: number;
  /** Minimum distance of a new location from every known one. */
  readonly newLocationKm: number;
  /** Speed above which nobody travels from one login to the next, in kilometres per hour. */
  readonly travelKmh: number;
  /** Minimum distance between these two logins. */
  readonly travelKm: number;
  /** Number of leading bits of an IPv6 address that identify one visitor. */
  readonly ipv6Prefix: 64 | 128;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Slightly more than the longest distance on Earth. */
const MAX_KM = 20_100;

export const LOGIN_DEFAULTS: LoginThresholds = {
  windowMs: 10 * MINUTE_MS,
  bruteforceFailures: 10,
  addressFailures: 20,
  failureShare: 0.2,
  scanAccounts: 10,
  scanRealAccounts: 5,
  newLocationKm: 100,
  travelKmh: 1000,
  travelKm: 500,
  ipv6Prefix: 64,
};

export function readLoginThresholds(options: OptionReader): LoginThresholds {
  const count = (name: "bruteforceFailures" | "scanAccounts" | "scanRealAccounts"): number =>
    options.integer(name, LOGIN_DEFAULTS[name], { max: 1000 });
  const km = (name: "newLocationKm" | "travelKm"): number =>
    options.number(name, LOGIN_DEFAULTS[name], { max: MAX_KM });
  const bruteforceFailures = count("bruteforceFailures");
  const ipv6Prefix = options.value("ipv6Prefix", LOGIN_DEFAULTS.ipv6Prefix);
  return {
    windowMs: options.durationMs("windowMs", LOGIN_DEFAULTS.windowMs, { min: 1000, max: DAY_MS }),
    bruteforceFailures,
    addressFailures: options.integer("addressFailures", Math.min(2 * bruteforceFailures, 1000), {
      max: 1000,
    }),
    failureShare: options.number("failureShare", LOGIN_DEFAULTS.failureShare, { max: 1 }),
    scanAccounts: count("scanAccounts"),
    scanRealAccounts: count("scanRealAccounts"),
    newLocationKm: km("newLocationKm"),
    travelKmh: options.number("travelKmh", LOGIN_DEFAULTS.travelKmh, { min: 1, max: 100_000 }),
    travelKm: km("travelKm"),
    ipv6Prefix:
      ipv6Prefix === 64 || ipv6Prefix === 128
        ? ipv6Prefix
        : options.refuse("ipv6Prefix", "64 or 128", ipv6Prefix),
  };
}
