import { type ErrorCode, isRiskGateError } from "@riskgate/core";

export const EXIT = {
  ok: 0,
  /** The check failed: a wrong signature, a refused delivery, a problem found by doctor. */
  no: 1,
  /** Wrong options or arguments, an unknown id, a missing secret, an unusable file. */
  usage: 2,
  /** The service could not be reached or failed, or a local file could not be written. */
  unreachable: 3,
  unauthorized: 4,
  unexpected: 70,
} as const;

/** Meanings of the exit codes, for the help. The README has the same. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "success",
  1: "the check failed: wrong signature, refused delivery or feed, problem found by `doctor`, score above `--fail-above`",
  2: "invalid options or arguments, unknown id, missing secret, unusable file",
  3: "the service could not be reached or failed, or a local file could not be written",
  4: "the service rejected the key or token",
  70: "a bug in the command itself",
};

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const CODES: Partial<Record<ErrorCode, ExitCode>> = {
  CONFIG_INVALID: EXIT.usage,
  INVALID_ARGUMENT: EXIT.usage,
  UNAUTHORIZED: EXIT.unauthorized,
  BAD_REQUEST: EXIT.no,
};

export function exitCodeOf(error: unknown): ExitCode {
  return isRiskGateError(error) ? (CODES[error.code] ?? EXIT.unreachable) : EXIT.unexpected;
}
