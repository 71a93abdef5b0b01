import { RiskGateError } from "../base/errors.js";

/** Codes of Node for a certificate that fails. */
const CERTIFICATE = /CERT|SIGNATURE|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/;

/**
 * Makes the error `NETWORK` from the error of a transport.
 *
 * The cause is a new error with message and `code` only: the original may contain the request with
 * its key, or a part of the response.
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

/** Returns true if the certificate of the service is not accepted, so that a retry cannot help. */
export function isCertificateError({ cause }: RiskGateError): boolean {
  return (
    cause instanceof Error &&
    "code" in cause &&
    typeof cause.code === "string" &&
    CERTIFICATE.test(cause.code)
  );
}

/** `fetch` wraps the cause in errors that only state the failure. */
function innermost(thrown: unknown): Error {
  let error = thrown instanceof Error ? thrown : new Error("unknown reason");
  for (let depth = 0; depth < 5 && !("code" in error) && error.cause instanceof Error; depth++) {
    error = error.cause;
  }
  return error;
}
