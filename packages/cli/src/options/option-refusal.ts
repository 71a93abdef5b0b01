import { isRiskGateError, RiskGateError } from "@riskgate/core";

/**
 * Options by the setting that they change: members of the administration API, and options of our
 * functions.
 */
const OPTIONS: Readonly<Record<string, string>> = {
  name: "name",
  environment: "--environment",
  webhookUrl: "--webhook-url",
  payloadTypes: "--payload-type",
  eventKinds: "--event-kind",
  incidentGenres: "--incident-genre",
  maxBodyBytes: "--max-body-bytes",
  maxDeliveriesPerMinute: "--max-deliveries-per-minute",
  createdSince: "--since",
  createdBefore: "--before",
  allowedDestinations: "--allow",
  secret: "--secret-file",
  flagAbove: "--flag-above",
  challengeAbove: "--challenge-above",
  rejectAbove: "--reject-above",
  "outcomes.reject": "--reject",
  "outcomes.challenge": "--challenge",
  "outcomes.flag": "--flag",
};

const BLOCKED = /^`webhookUrl` leads to ([0-9a-f.:]+),/;

export function withOptions(message: string): string {
  return message.replace(
    /`([\w.]+)(?:\[\d+\])?`/g,
    (member, name: string) => OPTIONS[name] ?? member,
  );
}

/** Runs work that sends settings. If the service refuses one, the error names the option. */
export async function namingOptions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRiskGateError(error) || error.status !== 400 || error.details === undefined) throw error;
    const { details, status } = error;
    const [, blocked] = BLOCKED.exec(details) ?? [];
    throw new RiskGateError("BAD_REQUEST", `the service refused: ${withOptions(details)}`, {
      cause: error,
      status,
      details,
      hint:
        blocked === undefined
          ? error.hint
          : `Give --allow ${networkOf(blocked)} as well, unless the URL is that of the service itself`,
    });
  }
}

function networkOf(ip: string): string {
  return ip.startsWith("127.") ? "127.0.0.0/8" : ip;
}
