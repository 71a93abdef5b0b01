import { pino } from "pino";
import type { ServiceLogger } from "@riskgate/service";

export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members of an error that must not be logged. */
const SECRETS = ["key", "secret", "token", "password", "authorization", "apiKey", "adminToken"];

/** Creates a logger that writes one JSON object per line to standard error. */
export function createServiceLogger(level: LogLevel): ServiceLogger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, redact: { paths, censor: "[redacted]" } }, pino.destination(2));
}
