import { monotonicMs } from "./clock.js";
import { emitWarning } from "./platform.js";

/**
 * Code of a process warning: misuse that is only visible while the application runs. Warnings go to
 * `process.on("warning")`, and to standard error unless Node runs with `--no-warnings`.
 */
export type WarningCode =
  | "RISKGATE_UNSAFE_TRUST"
  | "RISKGATE_SINGLE_CLIENT"
  | "RISKGATE_BODY_NOT_PARSED"
  | "RISKGATE_RAW_BODY_UNAVAILABLE"
  | "RISKGATE_UNTYPED_PAYLOAD"
  | "RISKGATE_UNREPORTED_ERROR"
  | "RISKGATE_REPORTS_DROPPED"
  | "RISKGATE_RULES_NOT_LOADED"
  | "RISKGATE_DECISIONS_DROPPED";

/** When each text was last emitted. There are few: they hold codes and option names only. */
const lastMs = new Map<string, number>();

/**
 * Emit a process warning at most once per interval, so that no request rate can flood a log.
 *
 * @param everyMs Quiet time after a warning with this text; by default forever.
 */
export function warn(code: WarningCode, message: string, everyMs: number = Infinity): void {
  const now = monotonicMs();
  if (now - (lastMs.get(message) ?? -Infinity) < everyMs) return;
  lastMs.set(message, now);
  emitWarning(message, code);
}
