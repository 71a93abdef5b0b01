import type { Application } from "@riskgate/api-types";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { AdminClient } from "../admin/admin-client.js";

/**
 * Makes a running service deliver a test payload, and returns its id.
 * @throws {RiskGateError} BAD_REQUEST, with the setting to change, if the application does not
 * receive test payloads.
 */
export async function sendTestPayload(client: AdminClient, id: string): Promise<string> {
  const parts = { id };
  try {
    return (await client.call("POST /applications/{id}/test", { parts })).id;
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400) throw error;
    const { application } = await client.call("GET /applications/{id}", { parts });
    const [problem, hint] = obstacleOf(application) ?? [];
    if (problem === undefined || hint === undefined) throw error;
    const message = `application ${id} receives no test payload: ${problem}`;
    throw new RiskGateError("BAD_REQUEST", message, { cause: error, status: 400, hint });
  }
}

function obstacleOf({
  id,
  webhookUrl,
  disabledReason,
  payloadTypes,
}: Application): readonly [problem: string, hint: string] | undefined {
  if (webhookUrl === null) {
    return ["it has no webhook URL", `Set it: riskgate app set ${id} --webhook-url URL`];
  }
  if (disabledReason !== null) {
    return [`it is off (${disabledReason})`, `Turn it on: riskgate app enable ${id}`];
  }
  if (payloadTypes.includes("test")) return undefined;
  const types = [...payloadTypes, "test"].map((type) => `--payload-type ${type}`);
  return [
    "its payload types do not include test",
    `Add it: riskgate app set ${id} ${types.join(" ")}`,
  ];
}
