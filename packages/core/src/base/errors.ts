import { type ErrorCode, hintOf } from "./hints.js";

export type { ErrorCode } from "./hints.js";

export interface ErrorDetails {
  /** The underlying error, without keys, secrets or body text. */
  cause?: unknown;
  /** Advice; by default the hint for the code. */
  hint?: string;
  /** HTTP status of the service's response. */
  status?: number;
  /** Content type of the service's response. */
  contentType?: string;
  /** Wait requested by the service, in milliseconds, 0 to 60,000. */
  retryAfterMs?: number;
  /** The service's explanation of why it rejected an identifier. */
  details?: string;
}

/**
 * The only error class of riskgate. Distinguish errors by `code`, not by class: two copies of the
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

/** Returns true for a {@link RiskGateError} from any loaded copy of the package. */
export function isRiskGateError(value: unknown): value is RiskGateError {
  return value instanceof Error && value.name === "RiskGateError" && "code" in value;
}
