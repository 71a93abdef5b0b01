import { monotonicMs } from "./clock.js";
import { emitWarning } from "./platform.js";

/**
 * Code of a process warning about misuse that appears only at run time. Warnings go to
 * `process.on("warning")`, and to standard error unless Node runs with `--no-warnings`.
 */
export type WarningCode =
  | "RISKGATE_UNSAFE_TRUST"
  | "RISKGATE_SINGLE_CLIENT"
  | "RISKGATE_NO_CLIENT_ADDRESS"
  | "RISKGATE_FOREIGN_ORIGIN"
  | "RISKGATE_BODY_NOT_PARSED"
  | "RISKGATE_NO_EMAIL"
  | "RISKGATE_NO_ADDRESS_DATA"
  | "RISKGATE_CLOCK_DIFFERS"
  | "RISKGATE_RAW_BODY_UNAVAILABLE"
  | "RISKGATE_NO_VALID_SIGNATURE"
  | "RISKGATE_UNTYPED_PAYLOAD"
  | "RISKGATE_UNREPORTED_ERROR"
  | "RISKGATE_REPORTS_DROPPED"
  | "RISKGATE_RULES_NOT_LOADED"
  | "RISKGATE_DECISIONS_DROPPED";

/** When each message was last emitted. There are few: they contain only codes and option names. */
const lastMs = new Map<string, number>();

/**
 * Emits a process warning at most once per interval, so that no request rate can flood a log.
 *
 * @param everyMs Minimum milliseconds between warnings with this text; by default it is emitted
 * once.
 */
export function warn(code: WarningCode, message: string, everyMs: number = Infinity): void {
  const now = monotonicMs();
  if (now - (lastMs.get(message) ?? -Infinity) < everyMs) return;
  lastMs.set(message, now);
  emitWarning(message, code);
}
