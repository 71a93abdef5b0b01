import { type ErrorCode, hintOf } from "./hints.js";

export type { ErrorCode } from "./hints.js";

/** Details of an error besides its code and message. */
export interface ErrorDetails {
  /** What went wrong underneath, without keys, secrets and body text. */
  cause?: unknown;
  /** Advice; by default that of the code. */
  hint?: string;
  /** Status of the service's answer. */
  status?: number;
  /** Content type of the service's answer. */
  contentType?: string;
  /** How long the service asks to wait, in milliseconds, 0 to 60,000. */
  retryAfterMs?: number;
  /** The service's own words about a refused identifier. */
  details?: string;
}

/**
 * The one error of this project. Tell errors apart by `code`, not by class: two copies of the
 * package may be loaded at once.
 */
export class RiskGateError extends Error implements ErrorDetails {
  override readonly name = "RiskGateError" as const;
  readonly code: ErrorCode;
  readonly hint: string;
  declare readonly status?: number;
  declare readonly contentType?: string;
  declare readonly retryAfterMs?: number;
  declare readonly details?: string;

  constructor(code: ErrorCode, message: string, { cause, hint, ...rest }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint ?? hintOf(code);
    Object.assign(this, rest);
  }
}

/** Whether a caught value is a {@link RiskGateError}, of any loaded copy of the package. */
export function isRiskGateError(value: unknown): value is RiskGateError {
  return value instanceof Error && value.name === "RiskGateError" && "code" in value;
}
