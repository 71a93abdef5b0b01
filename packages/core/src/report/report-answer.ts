import { RiskGateError } from "../base/errors.js";
import { parseJson } from "../lookup/json-body.js";
import { isCertificateError } from "../lookup/network-error.js";
import { parseRetryAfter } from "../lookup/retry-after.js";
import { type Answer, isSuccess } from "../lookup/transport.js";

export interface BatchAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly reason: string | undefined;
}

/**
 * Reads a batch result.
 * @throws {RiskGateError} The status's error, or INVALID_RESPONSE if it is not a batch result.
 */
export function readBatchAnswer(answer: Answer): BatchAnswer {
  const { status } = answer;
  if (!isSuccess(status)) throw statusError(answer);
  const value = (parseJson(answer.body) ?? {}) as Partial<
    Record<keyof BatchAnswer | "elements", unknown>
  >;
  const { accepted, duplicates, refused, elements } = value;
  if (!isCount(accepted) || !isCount(duplicates) || !isCount(refused)) {
    throw new RiskGateError("INVALID_RESPONSE", "expected the result of a report", {
      status,
      hint: "Check that `baseUrl` is a service that accepts reports",
    });
  }
  return { accepted, duplicates, refused, reason: refused > 0 ? reasonIn(elements) : undefined };
}

function statusError(answer: Answer): RiskGateError {
  const { status } = answer;
  const message = `expected the reports to be accepted, given status ${status}`;
  if (status >= 300 && status < 400)
    return new RiskGateError("REDIRECT_REFUSED", message, { status });
  if (status === 401 || status === 403) {
    const hint = "Check `reportKey`: the service does not accept it for reports";
    return new RiskGateError("UNAUTHORIZED", message, { status, hint });
  }
  const retryAfterMs = parseRetryAfter(answer.header("retry-after"), Date.now());
  const code = status === 429 ? "RATE_LIMITED" : "UPSTREAM_STATUS";
  return new RiskGateError(code, message, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

export function isTransient(error: RiskGateError): boolean {
  const { code, status = 0 } = error;
  if (code === "NETWORK") return !isCertificateError(error);
  if (code === "TIMEOUT" || code === "RATE_LIMITED") return true;
  return code === "UPSTREAM_STATUS" && (status >= 500 || status === 408 || status === 425);
}

/** Error codes of connections that were never established. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Returns true if the service has certainly not accepted the request. */
export function isUntaken({ code, status, cause }: RiskGateError): boolean {
  if (code === "NETWORK") return NOT_CONNECTED.has((cause as NodeJS.ErrnoException).code ?? "");
  return code === "RATE_LIMITED" || (code === "UPSTREAM_STATUS" && status === 503);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Longest text from the service that an error message quotes. */
const MAX_QUOTE = 200;

function reasonIn(elements: unknown): string | undefined {
  const list: unknown[] = Array.isArray(elements) ? elements : [];
  for (const element of list) {
    const { reason } = (element ?? {}) as { readonly reason?: unknown };
    if (typeof reason === "string") return reason.slice(0, MAX_QUOTE);
  }
  return undefined;
}
