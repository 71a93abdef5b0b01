import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import type { ServiceOptions } from "@riskgate/service";
import { readJson } from "../input/read-json.js";

/** Options for `createService` that a settings file may contain. */
const NAMES = [
  "allow",
  "console",
  "dashboardUrl",
  "delivery",
  "forwarding",
  "ledger",
  "mx",
  "providerRules",
  "rateLimit",
  "retentionDays",
  "rules",
  "weights",
] as const;

export type ServiceSettings = Pick<ServiceOptions, (typeof NAMES)[number]>;

/**
 * Reads a settings file: one JSON object, whose values the service checks.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it cannot be read or is anything else.
 */
export async function readServiceSettings(file: string): Promise<ServiceSettings> {
  const settings = await readJson(file);
  try {
    return readOptions("createService", settings, (options) => {
      // For editors.
      options.value("$schema");
      const entries = NAMES.map((name) => [name, options.value(name)] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    });
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    throw new RiskGateError("CONFIG_INVALID", `${error.message} (in ${file})`, { cause: error });
  }
}
