import { RiskGateError } from "@riskgate/core";
import type { AdminClient } from "../admin/admin-client.js";

/**
 * Returns the id of the service's only application.
 *
 * @throws {RiskGateError} CONFIG_INVALID if it has none or several.
 */
export async function onlyApplication(client: AdminClient): Promise<string> {
  const [only, ...others] = (await client.call("GET /applications")).applications;
  if (only && others.length === 0) return only.id;
  const problem = only ? "the service has several applications" : "the service has no application";
  const hint = only
    ? "Choose one with --app; `riskgate app list` shows them"
    : "Create one with `riskgate app create`";
  throw new RiskGateError("CONFIG_INVALID", problem, { hint });
}
