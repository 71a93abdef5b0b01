import { pino } from "pino";
import type { ServiceLogger } from "@riskgate/service";

export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that a log must not show, should an error carry one. */
const SECRETS = ["key", "secret", "token", "password", "authorization", "apiKey", "adminToken"];

/** A logger that writes JSON, one line for each entry, to standard error. */
export function createServiceLogger(level: LogLevel): ServiceLogger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ level, redact: { paths, censor: "[redacted]" } }, pino.destination(2));
}
