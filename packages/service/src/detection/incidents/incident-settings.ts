import type { OptionReader } from "@riskgate/core/adapter";

export interface IncidentThresholds {
  /** How far back events count before an incident is opened. */
  readonly windowMs: number;
  /** Number of events that opens an injection incident. */
  readonly injectionEvents: number;
  /** Number of events that opens a vulnerable-package incident. */
  readonly packageEvents: number;
  /** Number of scanning events that opens an incident. */
  readonly scanEvents: number;
  /** Number of account scan events that opens an incident. */
  readonly enumerationEvents: number;
  /** Number of brute-force events that opens an incident. */
  readonly takeoverEvents: number;
  /** Account score that opens an incident when it is exceeded. */
  readonly accountScoreAbove: number;
  /** How long an incident must be quiet before it ends; older events do not open incidents. */
  readonly quietMs: number;
  /** Minimum time between two deliveries of an open incident. */
  readonly updateEveryMs: number;
}

export interface PeakThresholds {
  /** A peak exceeds the baseline multiplied by this factor. */
  readonly factor: number;
  /** Minimum count of a peak in one minute, by counter. */
  readonly http4xx: number;
  readonly http5xx: number;
  readonly failedLogins: number;
  /** Number of reported minutes used for the baseline. */
  readonly historyMinutes: number;
  /** Number of reported minutes before there is a baseline. */
  readonly warmUpMinutes: number;
}

export interface IncidentSettings {
  readonly incidents: IncidentThresholds;
  readonly peaks: PeakThresholds;
  /** Maximum number of event groups, and of counters, in memory. */
  readonly maxSubjects: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const INCIDENT_DEFAULTS: IncidentThresholds = {
  windowMs: 10 * MINUTE_MS,
  injectionEvents: 1,
  packageEvents: 1,
  scanEvents: 20,
  enumerationEvents: 1,
  takeoverEvents: 1,
  // The engine scores a known attacker 80, and an account that is only attacked at most 40.
  accountScoreAbove: 75,
  quietMs: 30 * MINUTE_MS,
  updateEveryMs: MINUTE_MS,
};

export const PEAK_DEFAULTS: PeakThresholds = {
  factor: 4,
  http4xx: 100,
  http5xx: 20,
  failedLogins: 50,
  historyMinutes: 60,
  warmUpMinutes: 15,
};

export function readIncidentThresholds(options: OptionReader): IncidentThresholds {
  const count = (name: keyof IncidentThresholds & `${string}Events`): number =>
    options.integer(name, INCIDENT_DEFAULTS[name], { max: 1000 });
  const ms = (name: keyof IncidentThresholds & `${string}Ms`, min: number, max: number): number =>
    options.durationMs(name, INCIDENT_DEFAULTS[name], { min, max });
  return {
    windowMs: ms("windowMs", 1000, DAY_MS),
    injectionEvents: count("injectionEvents"),
    packageEvents: count("packageEvents"),
    scanEvents: count("scanEvents"),
    enumerationEvents: count("enumerationEvents"),
    takeoverEvents: count("takeoverEvents"),
    accountScoreAbove: options.number("accountScoreAbove", INCIDENT_DEFAULTS.accountScoreAbove, {
      max: 100,
    }),
    quietMs: ms("quietMs", 1000, 30 * DAY_MS),
    updateEveryMs: ms("updateEveryMs", 0, DAY_MS),
  };
}

export function readPeakThresholds(options: OptionReader): PeakThresholds {
  const count = (name: keyof PeakThresholds, max: number): number =>
    options.integer(name, PEAK_DEFAULTS[name], { max });
  const historyMinutes = count("historyMinutes", 1440);
  return {
    factor: options.number("factor", PEAK_DEFAULTS.factor, { min: 1, max: 1_000_000 }),
    http4xx: count("http4xx", 1_000_000_000),
    http5xx: count("http5xx", 1_000_000_000),
    failedLogins: count("failedLogins", 1_000_000_000),
    historyMinutes,
    // With a longer warm-up there would never be a baseline.
    warmUpMinutes: count("warmUpMinutes", historyMinutes),
  };
}
