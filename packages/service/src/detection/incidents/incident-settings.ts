import type { OptionReader } from "@riskgate/core/adapter";

/** When security events begin an incident, and when it ends. */
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

/** When a counter begins an incident. */
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

/** Settings of the detection of incidents. */
export interface IncidentSettings {
  readonly incidents: IncidentThresholds;
  readonly peaks: PeakThresholds;
  /** Most groups of events, and most counters, that are remembered. */
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
  // The engine gives a known attacker 80, and an account that is only attacked at most 40.
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

/** Reads the thresholds of incidents, each with its default. */
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

/** Reads the thresholds of peaks, each with its default. */
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
