import { RiskGateError } from "../base/errors.js";

/** Node's error codes for an invalid certificate. */
const CERTIFICATE = /CERT|SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/;

/**
 * Creates a `NETWORK` error from a transport error. The cause is a new error with only message and
 * `code`: the original may contain the request with its key, or part of the response.
 */
export function networkError(thrown: unknown, redact: (text: string) => string): RiskGateError {
  const inner = innermost(thrown);
  const code = "code" in inner && typeof inner.code === "string" ? redact(inner.code) : undefined;
  const message = redact(inner.message || code || "unknown reason");
  const cause = Object.assign(new Error(message), code !== undefined && { code });
  return new RiskGateError("NETWORK", `the service could not be reached: ${code ?? message}`, {
    cause,
  });
}

/** Returns true if the service's certificate was rejected, so that a retry cannot help. */
export function isCertificateError({ cause }: RiskGateError): boolean {
  return (
    cause instanceof Error &&
    "code" in cause &&
    typeof cause.code === "string" &&
    CERTIFICATE.test(cause.code)
  );
}

/** Returns true if the server responded, but not with TLS. */
export function isTlsError({ cause }: RiskGateError): boolean {
  return /^(?:EPROTO|ERR_SSL)/.test(String((cause as { code?: unknown } | undefined)?.code));
}

/** `fetch` wraps the cause in errors that carry no detail. */
function innermost(thrown: unknown): Error {
  let error = thrown instanceof Error ? thrown : new Error("unknown reason");
  for (let depth = 0; depth < 5 && !("code" in error) && error.cause instanceof Error; depth++) {
    error = error.cause;
  }
  return error;
}
