import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { AdminApi, ApplicationView } from "../admin/admin-api.js";

/**
 * Have a running service deliver a test payload; gives its id.
 *
 * @throws {RiskGateError} BAD_REQUEST, with what the application lacks, where it receives none.
 */
export async function sendTestPayload(api: AdminApi, applicationId: string): Promise<string> {
  try {
    return await api.testApplication(applicationId);
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400) throw error;
    const { application } = await api.showApplication(applicationId);
    const [problem, hint] = obstacleOf(application) ?? [];
    if (problem === undefined || hint === undefined) throw error;
    const message = `application ${applicationId} receives no test payload: ${problem}`;
    throw new RiskGateError("BAD_REQUEST", message, { cause: error, status: 400, hint });
  }
}

function obstacleOf({
  id,
  webhookUrl,
  disabledReason,
  payloadTypes,
}: ApplicationView): readonly [problem: string, hint: string] | undefined {
  if (webhookUrl === null) {
    return ["it has no webhook URL", `Set it: riskgate app set ${id} --webhook-url URL`];
  }
  if (disabledReason !== null) {
    return [`it is off (${disabledReason})`, `Turn it on: riskgate app enable ${id}`];
  }
  if (payloadTypes === undefined || payloadTypes.includes("test")) return undefined;
  const types = [...payloadTypes, "test"].map((type) => `--payload-type ${type}`);
  return [
    "test is not among its payload types",
    `Add it to them: riskgate app set ${id} ${types.join(" ")}`,
  ];
}
