import type { OptionReader } from "@riskgate/core/adapter";
import {
  INCIDENT_DEFAULTS,
  type IncidentSettings,
  type IncidentThresholds,
  PEAK_DEFAULTS,
  type PeakThresholds,
  readIncidentThresholds,
  readPeakThresholds,
} from "./incidents/incident-settings.js";
import {
  LOGIN_DEFAULTS,
  type LoginThresholds,
  readLoginThresholds,
} from "./logins/login-thresholds.js";

/** Detection options; `docs/detection.md` lists the defaults. */
export interface RuleOptions {
  readonly logins?: Partial<LoginThresholds>;
  readonly incidents?: Partial<IncidentThresholds>;
  readonly peaks?: Partial<PeakThresholds>;
  /** Maximum number of accounts, and of networks, in memory; the least recently active is evicted. */
  readonly maxSubjects?: number;
  /** How far detection may be behind with an application before its reports are refused; default 60,000. */
  readonly maxLagMs?: number;
}

export interface DetectionSettings extends IncidentSettings {
  readonly logins: LoginThresholds;
  /** True to count all spellings that a provider delivers to the same mailbox as one account. */
  readonly providerRules: boolean;
  readonly maxLagMs: number;
}

export const DETECTION_DEFAULTS: DetectionSettings = {
  logins: LOGIN_DEFAULTS,
  incidents: INCIDENT_DEFAULTS,
  peaks: PEAK_DEFAULTS,
  maxSubjects: 100_000,
  maxLagMs: 60_000,
  providerRules: true,
};

/**
 * Reads the service options `rules` and `providerRules`.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function readDetectionSettings(options: OptionReader): DetectionSettings {
  const rules = groupOf(options, "rules");
  return {
    logins: readLoginThresholds(groupOf(rules, "logins")),
    providerRules: options.boolean("providerRules", DETECTION_DEFAULTS.providerRules),
    incidents: readIncidentThresholds(groupOf(rules, "incidents")),
    peaks: readPeakThresholds(groupOf(rules, "peaks")),
    maxSubjects: rules.integer("maxSubjects", DETECTION_DEFAULTS.maxSubjects, {
      min: 2,
      max: 10_000_000,
    }),
    maxLagMs: rules.durationMs("maxLagMs", DETECTION_DEFAULTS.maxLagMs, { min: 1_000 }),
  };
}

function groupOf(options: OptionReader, name: string): OptionReader {
  return options.group(name) ?? options.refuse(name, "an object", false);
}
