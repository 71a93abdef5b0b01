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

/** When security events make an incident, and how long it goes on. */
export interface IncidentThresholds {
  /** How far back events count before an incident begins. */
  readonly windowMs: number;
  /** Events that begin an incident of injection. */
  readonly injectionEvents: number;
  /** Events that begin an incident of vulnerable packages. */
  readonly packageEvents: number;
  /** Events of scanning that begin an incident. */
  readonly scanEvents: number;
  /** Events of account scan that begin an incident. */
  readonly enumerationEvents: number;
  /** Events of brute force that begin an incident. */
  readonly takeoverEvents: number;
  /** Score of an account that begins an incident when it is crossed. */
  readonly accountScoreAbove: number;
  /** How long nothing may happen before an incident ends; events older than that begin none. */
  readonly quietMs: number;
  /** How often a running incident is delivered at most. */
  readonly updateEveryMs: number;
}

/** When a counter makes an incident. */
export interface PeakThresholds {
  /** How many times the baseline a peak is above. */
  readonly factor: number;
  /** Least count in one minute that is a peak, by counter. */
  readonly http4xx: number;
  readonly http5xx: number;
  readonly failedLogins: number;
  /** Minutes with a report that the baseline is made from. */
  readonly historyMinutes: number;
  /** Minutes with a report before there is a baseline. */
  readonly warmUpMinutes: number;
}

/** Thresholds of all rules, and what they may remember. */
export interface RuleSettings {
  readonly logins: LoginThresholds;
  readonly incidents: IncidentThresholds;
  readonly peaks: PeakThresholds;
  /** Accounts, and networks, that are remembered; the least recently active are evicted. */
  readonly maxSubjects: number;
}

/** Options of the rules; each default is in {@link RULE_DEFAULTS}. */
export interface RuleOptions {
  readonly logins?: Partial<LoginThresholds>;
  readonly incidents?: Partial<IncidentThresholds>;
  readonly peaks?: Partial<PeakThresholds>;
  readonly maxSubjects?: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const RULE_DEFAULTS: RuleSettings = {
  logins: {
    windowMs: 10 * MINUTE_MS,
    bruteforceFailures: 10,
    scanAccounts: 10,
    scanRealAccounts: 5,
    newLocationKm: 100,
    multiLocationsKm: 500,
    multiLocationsWindowMs: 10 * MINUTE_MS,
    ipv6Prefix: 64,
  },
  incidents: {
    windowMs: 10 * MINUTE_MS,
    injectionEvents: 1,
    packageEvents: 1,
    scanEvents: 20,
    enumerationEvents: 1,
    takeoverEvents: 1,
    // The engine gives a known attacker 80, and an account that is only attacked at most 40.
    accountScoreAbove: 75,
    quietMs: 30 * MINUTE_MS,
    updateEveryMs: MINUTE_MS,
  },
  peaks: {
    factor: 4,
    http4xx: 100,
    http5xx: 20,
    failedLogins: 50,
    historyMinutes: 60,
    warmUpMinutes: 15,
  },
  maxSubjects: 100_000,
};

/** Least and most of each number; what is not named here is a count of 1 to 1,000. */
const RANGES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  windowMs: [1000, DAY_MS],
  multiLocationsWindowMs: [1000, DAY_MS],
  newLocationKm: [0, 20_100],
  multiLocationsKm: [0, 20_100],
  ipv6Prefix: [64, 128],
  accountScoreAbove: [0, 100],
  quietMs: [1000, 30 * DAY_MS],
  updateEveryMs: [0, DAY_MS],
  factor: [1, 1_000_000],
  http4xx: [1, 1_000_000_000],
  http5xx: [1, 1_000_000_000],
  failedLogins: [1, 1_000_000_000],
  historyMinutes: [1, 1440],
  warmUpMinutes: [1, 1440],
  maxSubjects: [2, 10_000_000],
};

/** Numbers that need not be whole. */
const FRACTIONS = ["newLocationKm", "multiLocationsKm", "accountScoreAbove", "factor"];

/**
 * Read the option `rules` of the service.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an unknown name or a number out of its range.
 */
export function readRuleOptions(options: OptionReader): RuleSettings {
  const rules = groupOf(options, "rules");
  const logins = groupOf(rules, "logins");
  const incidents = groupOf(rules, "incidents");
  const peaks = groupOf(rules, "peaks");
  const settings: RuleSettings = {
    logins: readNumbers(logins, RULE_DEFAULTS.logins),
    incidents: readNumbers(incidents, RULE_DEFAULTS.incidents),
    peaks: readNumbers(peaks, RULE_DEFAULTS.peaks),
    ...readNumbers(rules, { maxSubjects: RULE_DEFAULTS.maxSubjects }),
  };
  const { ipv6Prefix } = settings.logins;
  if (![64, 128].includes(ipv6Prefix)) logins.refuse("ipv6Prefix", "64 or 128", ipv6Prefix);
  const { warmUpMinutes, historyMinutes } = settings.peaks;
  if (warmUpMinutes > historyMinutes) {
    peaks.refuse("warmUpMinutes", "at most `historyMinutes`", warmUpMinutes);
  }
  return settings;
}

function groupOf(options: OptionReader, name: string): OptionReader {
  return options.group(name) ?? options.refuse(name, "an object", false);
}

function readNumbers<Group extends object>(options: OptionReader, defaults: Group): Group {
  const entries = Object.entries(defaults as Readonly<Record<string, number>>);
  return Object.fromEntries(
    entries.map(([name, usual]) => {
      const [min, max] = RANGES[name] ?? [1, 1000];
      const isFraction = FRACTIONS.includes(name);
      const read = isFraction ? options.number.bind(options) : options.integer.bind(options);
      return [name, read(name, usual, { min, max })];
    }),
  ) as Group;
}
