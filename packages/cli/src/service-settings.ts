import { readFile } from "node:fs/promises";
import { RiskGateError } from "@riskgate/core";
import type { ServiceOptions } from "@riskgate/service";

/** What a settings file can hold: see the options of `createService`. */
export type ServiceSettings = Pick<
  ServiceOptions,
  | "adminNetworks"
  | "allow"
  | "dashboardUrl"
  | "delivery"
  | "ledger"
  | "rateLimit"
  | "retentionDays"
  | "rules"
  | "weights"
>;

const NAMES: readonly (keyof ServiceSettings)[] = [
  "adminNetworks",
  "allow",
  "dashboardUrl",
  "delivery",
  "ledger",
  "rateLimit",
  "retentionDays",
  "rules",
  "weights",
];

/**
 * Read a settings file: one JSON object. Its values are checked by the service, which names the one
 * that is wrong.
 *
 * @throws {RiskGateError} CONFIG_INVALID when it cannot be read, or holds anything else.
 */
export async function readServiceSettings(file: string): Promise<ServiceSettings> {
  let settings: unknown;
  try {
    settings = JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new RiskGateError("CONFIG_INVALID", `expected a JSON file of settings: ${file}`, {
      cause,
    });
  }
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw new RiskGateError("CONFIG_INVALID", `expected a JSON object in ${file}`);
  }
  const unknown = Object.keys(settings).find((name) => !NAMES.some((known) => known === name));
  if (unknown === undefined) return settings;
  throw new RiskGateError("CONFIG_INVALID", `there is no setting \`${unknown}\` (${file})`, {
    hint: `The settings are ${NAMES.join(", ")}`,
  });
}
