import { type ErrorCode, isRiskGateError } from "@riskgate/core";

/** Exit codes of the command. */
export const EXIT = {
  /** Done, and the answer is yes. */
  ok: 0,
  /** Done, and the answer is no: a wrong signature, a refused delivery, a finding of the doctor. */
  no: 1,
  /** Nothing was done: wrong options, a missing secret, an unusable file. */
  usage: 2,
  /** The other side was not reached, or is in trouble; or the disk is. */
  unreachable: 3,
  /** The other side does not accept the key or token. */
  unauthorized: 4,
  /** A mistake of the command itself. */
  unexpected: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const CODES: Partial<Record<ErrorCode, ExitCode>> = {
  CONFIG_INVALID: EXIT.usage,
  INVALID_ARGUMENT: EXIT.usage,
  UNAUTHORIZED: EXIT.unauthorized,
  BAD_REQUEST: EXIT.no,
};

/** Exit code that belongs to an error. */
export function exitCodeOf(error: unknown): ExitCode {
  return isRiskGateError(error) ? (CODES[error.code] ?? EXIT.unreachable) : EXIT.unexpected;
}
